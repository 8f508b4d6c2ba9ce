// Links that set a new password. A user has at most one; it works once, within an hour. Only the hash of its token is stored.
import { randomToken, sha256 } from '../auth/tokens.ts'
import type { AnySql, Sql, Transaction } from '../database/connect.ts'
import { notFound } from '../errors.ts'

/** Returns the token of a new link. The user's earlier link no longer works. */
export async function createPasswordReset(sql: Sql, user_id: string): Promise<string> {
  const token = randomToken()
  await sql`
    insert into password_resets (user_id, token_hash, expires_at)
    values (${user_id}, ${sha256(token)}, now() + interval '1 hour')
    on conflict (user_id) do update set token_hash = excluded.token_hash, expires_at = excluded.expires_at`
  return token
}

/** The account of a link. Throws 404 if it isn't valid. */
export async function findPasswordReset(sql: AnySql, token: string) {
  const [account] = await sql<{ user_id: string; has_password: boolean }[]>`
    select u.id as user_id, u.password_hash is not null as has_password
    from password_resets r join users u on u.id = r.user_id
    where r.token_hash = ${sha256(token)} and r.expires_at > now()`
  if (!account) throw notFound('Reset link')
  return account
}

/** Sets the password. Returns the ids of the sessions that this ends, or null if the link was used meanwhile. */
export async function usePasswordReset(
  tx: Transaction,
  token: string,
  { user_id, password_hash }: { user_id: string; password_hash: string },
): Promise<string[] | null> {
  // Before the link is used: sign-ins lock the user too, so none with the old password comes after this.
  await tx`select from users where id = ${user_id} for no key update`
  const used = await tx`
    delete from password_resets
    where user_id = ${user_id} and token_hash = ${sha256(token)} and expires_at > now() returning user_id`
  if (used.length === 0) return null
  await tx`update users set password_hash = ${password_hash} where id = ${user_id}`
  const ended = await tx<{ id: string }[]>`delete from sessions where user_id = ${user_id} returning id`
  return ended.map(({ id }) => id)
}

export async function deleteExpiredPasswordResets(sql: Sql): Promise<void> {
  await sql`delete from password_resets where expires_at <= now()`
}
