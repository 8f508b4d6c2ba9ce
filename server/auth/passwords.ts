// Passwords, hashed with argon2id. Whether an account exists shows neither in the answer nor in its time.
import { hash, verify } from '@node-rs/argon2'
import { createTurnstile } from './turnstile.ts'

const cost = { memoryCost: 19 * 1024, timeCost: 2, parallelism: 1 }

/** The hash of a random password. A guess at an unknown account is compared with it, so that it takes as long. */
const nobodysHash =
  '$argon2id$v=19$m=19456,t=2,p=1$OBdWcrS7UlFRdbjL4zHwLQ$tTOJeK/yVn11ASzYlo6hH36tACl30ZUuvA5qcVmh2OM'

// A hash takes 19 MiB and one of libuv's four threads, which files and DNS need as well. Signing in and unlocking is
// urgent: new passwords never take the last place, and wait until no known one has to be checked.
const inTurn = createTurnstile({ at_once: 2, waiting_max: 1_000, line_max: 100 })

/** `from`: who asks, such as a network address. Many requests from one address don't hold up the others. */
export function hashPassword(password: string, from: string): Promise<string> {
  return inTurn({ kind: 'other', from }, () => hash(canonical(password), cost))
}

/**
 * Whether the password is the one behind `password_hash`; null (no account, no password): never, and no sooner.
 * `mayStart` throws if the check is no longer wanted when its turn comes.
 */
export async function verifyPassword(
  password_hash: string | null,
  password: string,
  from: string,
  mayStart: () => Promise<void>,
): Promise<boolean> {
  const matches = await inTurn({ kind: 'urgent', from }, async () => {
    await mayStart()
    return verify(password_hash ?? nobodysHash, canonical(password))
  })
  return matches && password_hash !== null
}

/** One keyboard sends é as one character, another as two. */
function canonical(password: string): string {
  return password.normalize('NFKC')
}
