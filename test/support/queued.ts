// Inserts channels and interactions as rows, and claims their deliveries.
import { randomUUID } from 'node:crypto'
import { afterEach, beforeEach } from 'vitest'
import type { Sql } from '../../server/database/connect.ts'
import {
  type ClaimedDelivery,
  claimDeliveries,
  type DeliveryResult,
  markSent,
} from '../../server/model/delivery-queue.ts'
import { recordInteraction } from '../../server/model/interactions.ts'
import { settle } from '../feed/scripted.ts'
import { expectActivityMatchesRows } from './activity.ts'
import { runDatabase } from './running.ts'

export const PUBLIC_URL = 'http://feed.example'

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
  card: null,
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

/** A queue that is empty before each test. After it, the daily activity must have counted every outcome. */
export async function runQueue() {
  const { sql } = await runDatabase()
  beforeEach(async () => void (await sql`delete from users`))
  afterEach(() => expectActivityMatchesRows(sql))
  return {
    sql,
    /** Creates a channel with a new owner and these waiting replies. Returns its id. */
    async queue(...replies: string[]): Promise<string> {
      const channel_id = await newChannel(sql, await newWorkspace(sql), 'http://receiver.example/')
      for (const text of replies) await recordInteraction(sql, newReply(channel_id, text))
      return channel_id
    },
    claimIn: async (channel_ids: string[]) =>
      (await claimDeliveries(sql, randomUUID(), channel_ids, PUBLIC_URL)).claimed,
    mark: async (one: ClaimedDelivery) => markSent(sql, one, await settle(sql)),
  }
}

export function onlyOne([one]: ClaimedDelivery[]): ClaimedDelivery {
  if (!one) throw new Error('nothing claimed')
  return one
}
