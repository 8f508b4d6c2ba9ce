// Removes receipts that viewers may no longer see: of workspaces that became public, and past retention.
import type { Sql } from '../database/connect.ts'
import { ApiError } from '../errors.ts'
import type { Feeds } from '../feed/feeds.ts'
import type { Mutation } from '../feed/turn/mutation.ts'

type OwnedChannel = { id: string; owner_id: string }

const DAY_MS = 86_400_000
/** How many channels are changed at the same time. */
const CHANNELS_AT_ONCE = 8
const ROWS_AT_ONCE = 1_000
const ROUNDS_MAX = 100

/**
 * Removes the receipts of a workspace that is to become public, and keeps presses from leaving new ones until
 * `stopHiding`, or until the workspace is public. Every channel gets a turn: what another instance has judged before, and
 * not committed, has to be judged again. Rejects if a channel may still have receipts.
 */
export async function hideReceipts(sql: Sql, feeds: Feeds, workspace_id: string): Promise<void> {
  await sql`update workspaces set becoming_public_at = now() where id = ${workspace_id}`
  const channels = await sql<OwnedChannel[]>`
    select c.id, w.user_id as owner_id from channels c join workspaces w on w.id = c.workspace_id
    where w.id = ${workspace_id}`
  throwFirst(await writeEach(channels, channel => write(feeds, channel, { kind: 'hide_receipts' })))
}

/** The workspace didn't become public. */
export async function stopHiding(sql: Sql, workspace_id: string): Promise<void> {
  await sql`update workspaces set becoming_public_at = null where id = ${workspace_id} and visibility <> 'public'`
}

/** An instance that died may have left a workspace like that. */
export async function stopStaleHiding(sql: Sql): Promise<void> {
  await sql`
    update workspaces set becoming_public_at = null where becoming_public_at < now() - interval '10 minutes'`
}

/** For receipts that are left in spite of `hideReceipts`. A channel that fails doesn't keep the others from being cleaned. */
export async function hideLeftReceipts(sql: Sql, feeds: Feeds): Promise<void> {
  const channels = await sql<OwnedChannel[]>`
    select c.id, w.user_id as owner_id from channels c join workspaces w on w.id = c.workspace_id
    where (c.receipts = 'off' or (c.receipts = 'auto' and w.visibility = 'public'))
      and (exists (select from card_receipts where channel_id = c.id)
        or exists (select from header_receipts where channel_id = c.id))`
  throwFirst(await writeEach(channels, channel => write(feeds, channel, { kind: 'hide_receipts' })))
}

export async function forgetOldReceipts(sql: Sql, feeds: Feeds, days: number, now: number): Promise<void> {
  const before = new Date(now - days * DAY_MS).toISOString()
  const failures: Failure<OwnedChannel>[] = []
  for (let round = 0, found = ROWS_AT_ONCE; found === ROWS_AT_ONCE && round < ROUNDS_MAX; round++) {
    // Their rows must not stand in the way of others.
    const failed = failures.map(({ item }) => item.id)
    const channels = await sql<(OwnedChannel & { card_ids: (string | null)[] })[]>`
      select c.id, w.user_id as owner_id, json_agg(old.card_id) as card_ids
      from (
        (select channel_id, card_id from card_receipts
        where oldest < ${before} and channel_id <> all(${failed}::uuid[]) order by oldest)
        union all select channel_id, null from header_receipts
        where oldest < ${before} and channel_id <> all(${failed}::uuid[]) limit ${ROWS_AT_ONCE}
      ) old join channels c on c.id = old.channel_id join workspaces w on w.id = c.workspace_id
      group by c.id, w.user_id`
    const forget = ({ card_ids, ...channel }: (typeof channels)[number]) => {
      const cards = card_ids.filter(id => id !== null)
      return write(feeds, channel, { kind: 'forget_receipts', card_ids: cards, before })
    }
    failures.push(...(await writeEach(channels, forget)))
    found = channels.reduce((sum, { card_ids }) => sum + card_ids.length, 0)
  }
  throwFirst(failures)
}

async function write(feeds: Feeds, { id, owner_id }: OwnedChannel, mutation: Mutation): Promise<void> {
  try {
    await feeds.get(id).writer.write({ mutation, owner_id })
  } catch (error) {
    // The channel was deleted meanwhile.
    if (!(error instanceof ApiError && error.status === 404)) throw error
  }
}

type Failure<T> = { item: T; error: unknown }

/** Returns what failed. */
async function writeEach<T>(items: T[], work: (item: T) => Promise<unknown>): Promise<Failure<T>[]> {
  const failures: Failure<T>[] = []
  const tryOne = (item: T) => work(item).catch(error => void failures.push({ item, error }))
  for (let i = 0; i < items.length; i += CHANNELS_AT_ONCE)
    await Promise.all(items.slice(i, i + CHANNELS_AT_ONCE).map(tryOne))
  return failures
}

function throwFirst([first]: Failure<unknown>[]): void {
  if (first) throw first.error
}
