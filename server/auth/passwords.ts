// Passwords, hashed with argon2id. Whether an account exists shows neither in the answer nor in its time.
import { hash, verify } from '@node-rs/argon2'
import { createTurnstile } from './turnstile.ts'

const cost = { memoryCost: 19 * 1024, timeCost: 2, parallelism: 1 }

/** The hash of a password that nobody knows: what a guess at an unknown account is held against. */
const nobodysHash =
  '$argon2id$v=19$m=19456,t=2,p=1$OBdWcrS7UlFRdbjL4zHwLQ$tTOJeK/yVn11ASzYlo6hH36tACl30ZUuvA5qcVmh2OM'

// A hash takes 19 MiB and one of libuv's four threads, which files and DNS need as well.
const inTurn = createTurnstile({ at_once: 2, waiting_max: 1_000 })

export function hashPassword(password: string): Promise<string> {
  return inTurn(() => hash(canonical(password), cost))
}

/** Whether the password is the one behind `password_hash`; null (no account, no password): never, and no sooner. */
export async function verifyPassword(password_hash: string | null, password: string): Promise<boolean> {
  const matches = await inTurn(() => verify(password_hash ?? nobodysHash, canonical(password)))
  return matches && password_hash !== null
}

/** One keyboard sends é as one character, another as two. */
function canonical(password: string): string {
  return password.normalize('NFKC')
}
