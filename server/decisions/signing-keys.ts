// Rows of the `signing_keys` table: the public halves of the keys that instances sign decisions with.
import type { Logger } from 'pino'
import type { AnySql, Sql } from '../database/connect.ts'
import type { KeyPair } from '../key-pair.ts'

type PublicKey = Pick<KeyPair, 'kid' | 'jwk'>
type KeyUse = { sql: Sql; log: Logger; signing_key: KeyPair }

/** At the start and every hour: the key is in use. Keys that signed nothing and that no instance has had for a day leave. */
export async function keepSigningKey({ sql, log, signing_key }: KeyUse): Promise<void> {
  const { kid, jwk } = signing_key
  const [key] = await sql<{ is_revoked: boolean }[]>`
    insert into signing_keys (kid, jwk) values (${kid}, ${JSON.stringify(jwk)}::text::json)
    on conflict (kid) do update set in_use_at = now() returning revoked_at is not null as is_revoked`
  if (key?.is_revoked)
    log.error({ kid }, 'decisions are signed with a revoked key, so nobody accepts them: make a new one')
  await sql`
    delete from signing_keys
    where first_used_at is null and revoked_at is null and in_use_at < now() - interval '1 day'`
}

/**
 * Part of the statement of a commit, so that the public half is readable as soon as a signature is. Only the first use locks
 * the row. If the database was replaced meanwhile, it may lack the key.
 */
export const noteKeyUse = (sql: AnySql, { kid, jwk }: PublicKey) => sql`used as (
  insert into signing_keys (kid, jwk, first_used_at) select ${kid}::text, ${JSON.stringify(jwk)}::text::json, now()
  where not exists (select from signing_keys where kid = ${kid} and first_used_at is not null)
  on conflict (kid) do update set first_used_at = coalesce(signing_keys.first_used_at, excluded.first_used_at))`

/** The keys whose signatures count. */
export async function readPublicKeys(sql: Sql): Promise<PublicKey[]> {
  return sql<PublicKey[]>`
    select kid, jwk from signing_keys where first_used_at is not null and revoked_at is null
    order by first_used_at, kid`
}

/** Returns false for an unknown key. */
export async function revokeKey(sql: Sql, kid: string): Promise<boolean> {
  const revoked = await sql`
    update signing_keys set revoked_at = coalesce(revoked_at, now()) where kid = ${kid} returning kid`
  return revoked.length > 0
}
