// Inserts channels and interactions as rows, and reads the outcome of deliveries.
import { randomUUID } from 'node:crypto'
import type { Sql } from '../../server/database/connect.ts'
import type { DeliveryResult } from '../../server/model/delivery-queue.ts'
import { recordInteraction } from '../../server/model/interactions.ts'

export const success: DeliveryResult = {
  status: 'success',
  response_code: 200,
  response_headers: {},
  response_body: '',
  request_headers: {},
  error: null,
  duration_ms: 1,
}

export const newReply = (channel_id: string, text: string) => ({
  interaction_id: randomUUID(),
  channel_id,
  card_id: null,
  timestamp: new Date().toISOString(),
  trigger: { type: 'reply' as const, text },
  card_state: null,
  user_id: null,
  anonymous: true,
})

export async function newWorkspace(sql: Sql): Promise<string> {
  const id = randomUUID()
  await sql`insert into users (id, email, name, password_hash) values (${id}, ${`${id}@example.com`}, 'Ann', '')`
  await sql`insert into workspaces (id, user_id, name, slug, icon) values (${id}, ${id}, 'Team', ${id}, '🏢')`
  return id
}

export async function newChannel(sql: Sql, workspace_id: string, webhook_url: string): Promise<string> {
  const id = randomUUID()
  await sql`
    insert into channels (id, workspace_id, name, icon, mode, webhook_url)
    values (${id}, ${workspace_id}, 'Channel', '📡', 'interactive', ${webhook_url})`
  return id
}

/** Creates a channel with a new owner and these waiting replies. Returns its id. */
export async function queueReplies(sql: Sql, replies: string[]): Promise<string> {
  const channel_id = await newChannel(sql, await newWorkspace(sql), 'http://receiver.example/')
  for (const text of replies) await recordInteraction(sql, newReply(channel_id, text))
  return channel_id
}
