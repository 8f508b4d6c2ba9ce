// A channel's signing secret: `whsec_` and base64, as Standard Webhooks has it. Made when it is first needed.
import { randomBytes } from 'node:crypto'
import type { Sql, Transaction } from '../database/connect.ts'
import { notFound } from '../errors.ts'

const SECRET_BYTES = 32

const newSecret = () => `whsec_${randomBytes(SECRET_BYTES).toString('base64')}`

/** Makes one where there is none yet. */
export async function makeSecret(sql: Sql | Transaction, channel_id: string): Promise<void> {
  await sql`
    insert into webhook_secrets (channel_id, secret)
    select id, ${newSecret()} from channels where id = ${channel_id} on conflict (channel_id) do nothing`
}

/** All that sign now: the present one first, then the one before it, for a day after a rotation. */
export async function signingSecrets(sql: Sql | Transaction, channel_id: string): Promise<string[]> {
  await makeSecret(sql, channel_id)
  const [row] = await sql<{ secrets: string[] }[]>`
    select to_jsonb(array_remove(array[secret, case when previous_until > now() then previous_secret end], null)) as secrets
    from webhook_secrets where channel_id = ${channel_id}`
  return row?.secrets ?? []
}

export async function readSecret(sql: Sql, channel_id: string): Promise<string> {
  await makeSecret(sql, channel_id)
  const [row] = await sql<{ secret: string }[]>`
    select secret from webhook_secrets where channel_id = ${channel_id}`
  if (!row) throw notFound('Channel')
  return row.secret
}

/** A new secret; the one before signs too for a day, so that receivers can change over. Two rotations end it at once. */
export async function rotateSecret(sql: Sql, channel_id: string): Promise<string> {
  await makeSecret(sql, channel_id)
  const [row] = await sql<{ secret: string }[]>`
    update webhook_secrets set previous_secret = secret, previous_until = now() + interval '1 day', secret = ${newSecret()}
    where channel_id = ${channel_id} returning secret`
  if (!row) throw notFound('Channel')
  return row.secret
}
