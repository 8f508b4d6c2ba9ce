// Removes receipts that viewers may no longer see: of workspaces that became public, and past retention.
import type { Sql } from '../database/connect.ts'
import { ApiError } from '../errors.ts'
import type { Feeds } from '../feed/feeds.ts'
import type { Mutation } from '../feed/mutation.ts'

type OwnedChannel = { id: string; owner_id: string }

const DAY_MS = 86_400_000
/** How many channels are changed at the same time. */
const CHANNELS_AT_ONCE = 8
const ROWS_AT_ONCE = 1_000
const ROUNDS_MAX = 100

/**
 * Call this when a workspace has become public. Channels without receipts get a turn too: a press on another instance may
 * have been judged before the change, and then has to be judged again.
 */
export async function hideReceipts(sql: Sql, feeds: Feeds, workspace_id: string): Promise<void> {
  const channels = await sql<OwnedChannel[]>`
    select c.id, w.user_id as owner_id from channels c join workspaces w on w.id = c.workspace_id
    where w.id = ${workspace_id} and c.receipts = 'auto'`
  await writeEach(channels, channel => write(feeds, channel, { kind: 'hide_receipts' }))
}

/** Finishes what an instance began before it died. */
export async function hideLeftReceipts(sql: Sql, feeds: Feeds): Promise<void> {
  const channels = await sql<OwnedChannel[]>`
    select c.id, w.user_id as owner_id from channels c join workspaces w on w.id = c.workspace_id
    where (c.receipts = 'off' or (c.receipts = 'auto' and w.visibility = 'public'))
      and (exists (select from card_receipts where channel_id = c.id)
        or exists (select from header_receipts where channel_id = c.id))`
  await writeEach(channels, channel => write(feeds, channel, { kind: 'hide_receipts' }))
}

export async function forgetOldReceipts(sql: Sql, feeds: Feeds, days: number, now: number): Promise<void> {
  const before = new Date(now - days * DAY_MS).toISOString()
  for (let round = 0, found = ROWS_AT_ONCE; found === ROWS_AT_ONCE && round < ROUNDS_MAX; round++) {
    const channels = await sql<(OwnedChannel & { card_ids: (string | null)[] })[]>`
      select c.id, w.user_id as owner_id, json_agg(old.card_id) as card_ids
      from (
        (select channel_id, card_id from card_receipts where oldest < ${before} order by oldest)
        union all select channel_id, null from header_receipts where oldest < ${before} limit ${ROWS_AT_ONCE}
      ) old join channels c on c.id = old.channel_id join workspaces w on w.id = c.workspace_id
      group by c.id, w.user_id`
    await writeEach(channels, ({ card_ids, ...channel }) => {
      const cards = card_ids.filter(id => id !== null)
      return write(feeds, channel, { kind: 'forget_receipts', card_ids: cards, before })
    })
    found = channels.reduce((sum, { card_ids }) => sum + card_ids.length, 0)
  }
}

async function write(feeds: Feeds, { id, owner_id }: OwnedChannel, mutation: Mutation): Promise<void> {
  try {
    await feeds.get(id).writer.write({ mutation, owner_id })
  } catch (error) {
    // The channel was deleted meanwhile.
    if (!(error instanceof ApiError && error.status === 404)) throw error
  }
}

async function writeEach<T>(channels: T[], work: (channel: T) => Promise<unknown>): Promise<void> {
  for (let i = 0; i < channels.length; i += CHANNELS_AT_ONCE)
    await Promise.all(channels.slice(i, i + CHANNELS_AT_ONCE).map(work))
}
