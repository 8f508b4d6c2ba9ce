// A channel's signing secret, in the format of Standard Webhooks. It is created when it is first needed.
import { randomBytes } from 'node:crypto'
import type { AnySql, Sql } from '../database/connect.ts'
import { notFound } from '../errors.ts'

const newSecret = () => `whsec_${randomBytes(32).toString('base64')}`

export async function ensureSecret(sql: AnySql, channel_id: string): Promise<void> {
  await sql`
    insert into webhook_secrets (channel_id, secret)
    select id, ${newSecret()} from channels where id = ${channel_id} on conflict (channel_id) do nothing`
}

/** The valid secrets of the row `s`, current one first, as JSON. */
export const validSecrets = (sql: AnySql) => sql`
  to_jsonb(array_remove(array[s.secret, case when s.previous_until > now() then s.previous_secret end], null))`

export async function readValidSecrets(sql: AnySql, channel_id: string): Promise<string[]> {
  await ensureSecret(sql, channel_id)
  const [row] = await sql<{ secrets: string[] }[]>`
    select ${validSecrets(sql)} as secrets from webhook_secrets s where channel_id = ${channel_id}`
  return row?.secrets ?? []
}

export async function readSecret(sql: Sql, channel_id: string): Promise<string> {
  const [secret] = await readValidSecrets(sql, channel_id)
  if (secret === undefined) throw notFound('Channel')
  return secret
}

/** The previous secret stays valid for a day, or until the next rotation, so that receivers can switch. */
export async function rotateSecret(sql: Sql, channel_id: string): Promise<string> {
  await ensureSecret(sql, channel_id)
  const [row] = await sql<{ secret: string }[]>`
    update webhook_secrets set previous_secret = secret, previous_until = now() + interval '1 day', secret = ${newSecret()}
    where channel_id = ${channel_id} returning secret`
  if (!row) throw notFound('Channel')
  return row.secret
}
