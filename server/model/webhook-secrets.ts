// A channel's signing secret: `whsec_` and base64, as in Standard Webhooks. It is created when it is first needed.
import { randomBytes } from 'node:crypto'
import type { Sql, Transaction } from '../database/connect.ts'
import { notFound } from '../errors.ts'

const SECRET_BYTES = 32

const newSecret = () => `whsec_${randomBytes(SECRET_BYTES).toString('base64')}`

/** Creates the channel's secret if it has none. */
export async function ensureSecret(sql: Sql | Transaction, channel_id: string): Promise<void> {
  await sql`
    insert into webhook_secrets (channel_id, secret)
    select id, ${newSecret()} from channels where id = ${channel_id} on conflict (channel_id) do nothing`
}

/** All valid secrets of the row `s`, as JSON: the current one, then the previous one for a day after a rotation. */
export const validSecrets = (sql: Sql | Transaction) => sql`
  to_jsonb(array_remove(array[s.secret, case when s.previous_until > now() then s.previous_secret end], null))`

export async function readValidSecrets(sql: Sql | Transaction, channel_id: string): Promise<string[]> {
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

/** Returns a new secret. The previous one stays valid for a day, until receivers have changed; a second rotation ends it. */
export async function rotateSecret(sql: Sql, channel_id: string): Promise<string> {
  await ensureSecret(sql, channel_id)
  const [row] = await sql<{ secret: string }[]>`
    update webhook_secrets set previous_secret = secret, previous_until = now() + interval '1 day', secret = ${newSecret()}
    where channel_id = ${channel_id} returning secret`
  if (!row) throw notFound('Channel')
  return row.secret
}
