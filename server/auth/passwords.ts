// Passwords, hashed with argon2id. Neither the response nor its time reveals whether a user exists.
import { hash, verify } from '@node-rs/argon2'
import { createTurnstile } from '../turnstile.ts'

const cost = { memoryCost: 19 * 1024, timeCost: 2, parallelism: 1 }

/** The hash of a random password. Attempts for unknown users are compared with it, so they take as long. */
const decoyHash =
  '$argon2id$v=19$m=19456,t=2,p=1$OBdWcrS7UlFRdbjL4zHwLQ$tTOJeK/yVn11ASzYlo6hH36tACl30ZUuvA5qcVmh2OM'

// A hash takes 19 MiB and one of libuv's four threads, which files and DNS need too. Sign-ins and unlocks are urgent:
// new passwords wait for them and never take the last slot.
const inTurn = createTurnstile({ at_once: 2, waiting_max: 1_000, queue_max: 100 })

/** `from`: the client's address. Many requests from one address don't delay others. */
export function hashPassword(password: string, from: string): Promise<string> {
  return inTurn({ kind: 'other', from }, () => hash(canonical(password), cost))
}

/**
 * Whether the password matches. With a null hash (no user, no password) it never does, and takes as long.
 * `mayStart` runs right before the check, and may throw to cancel it.
 */
export async function verifyPassword(
  password_hash: string | null,
  password: string,
  from: string,
  mayStart: () => Promise<void>,
): Promise<boolean> {
  const matches = await inTurn({ kind: 'urgent', from }, async () => {
    await mayStart()
    return verify(password_hash ?? decoyHash, canonical(password))
  })
  return matches && password_hash !== null
}

/** Some keyboards send é as one character, others as two. */
const canonical = (password: string) => password.normalize('NFKC')
