// Creates, lists, reads, changes and deletes channels, with their documents. Also caches which channel belongs to whom.
import { randomUUID } from 'node:crypto'
import {
  CHANNEL_SETTINGS,
  type Channel,
  type ChannelWithActions,
  type CreateChannelBody,
  type CreatedChannel,
  type ListedChannel,
  type PatchChannelBody,
  type SummarizedChannel,
  withoutOwnerOnly,
} from '../../shared/channel.ts'
import type { HeaderAction } from '../../shared/header-action.ts'
import type { Key } from '../auth/api-keys.ts'
import type { Sql, Transaction } from '../database/connect.ts'
import { notFound } from '../errors.ts'
import type { Feeds } from '../feed/feeds.ts'
import { beginDocument } from '../feed/log/epochs.ts'
import { deleteResponsesBelow, type StoredResponse, storeResponse } from '../feed/log/stored-responses.ts'
import { dailyLimitReached, utcDay } from '../rate-limit.ts'
import { writeAttributes } from './attributes.ts'
import { beginFor } from './begin-for.ts'
import { withTexts } from './card-texts.ts'
import { joinNewestCard, summaryColumns, type UnfinishedSummary } from './channel-summary.ts'
import { failWithoutUrl } from './delivery-recovery.ts'
import { readEditors } from './editors.ts'

export type ChannelFacts = { id: string; workspace_id: string; owner_id: string }

const SETTING_COLUMNS = CHANNEL_SETTINGS.map(name => `c.${name}`)
const FACTS_MAX = 20_000
/** Longer than other statements wait for a lock. */
const DELETION_LOCK = '8s'
/** The rows of a large channel take long. A little less than the 120 s after which the request gets 503. */
const DELETION_STATEMENT = '118s'

/** Caches each channel's workspace and owner, so that checking a request needs no query. */
export class ChannelRegister {
  readonly #sql: Sql
  readonly #facts = new Map<string, ChannelFacts>()
  /** Counts calls of `forget` and `forgetAll`, because facts that were read during one must not be cached. */
  #forgotten = 0

  constructor(sql: Sql) {
    this.#sql = sql
  }

  find(id: string): ChannelFacts | Promise<ChannelFacts | null> {
    return this.#facts.get(id) ?? this.#read(id)
  }

  forget(id: string): void {
    this.#forgotten++
    this.#facts.delete(id)
  }

  /** The workspace may have another owner. */
  forgetWorkspace(workspace_id: string): void {
    this.#forgotten++
    for (const [id, facts] of this.#facts) if (facts.workspace_id === workspace_id) this.#facts.delete(id)
  }

  /** Called when notices of deletions may have been lost, and after lost history. */
  forgetAll(): void {
    this.#forgotten++
    this.#facts.clear()
  }

  async #read(id: string): Promise<ChannelFacts | null> {
    const forgottenBefore = this.#forgotten
    const [facts] = await this.#sql<ChannelFacts[]>`
      select c.id, c.workspace_id, w.user_id as owner_id
      from channels c join workspaces w on w.id = c.workspace_id where c.id = ${id}`
    if (!facts) return null
    if (this.#forgotten !== forgottenBefore) return facts
    if (this.#facts.size >= FACTS_MAX) this.#facts.clear()
    this.#facts.set(id, facts)
    return facts
  }
}

/** `owner_id`: of the workspace. `limit`, `remaining`: null if there is no limit. `responseToStore` returns undefined without an Idempotency-Key. */
export async function createChannel(
  sql: Sql,
  owner_id: string,
  body: CreateChannelBody,
  limit: number | null,
  now: number,
  responseToStore: (created: CreatedChannel) => StoredResponse | undefined,
): Promise<CreatedChannel & { remaining: number | null }> {
  const id = randomUUID()
  return beginFor(sql, owner_id, async tx => {
    const day = utcDay(now)
    // The lock keeps the workspace from being deleted until the transaction ends.
    const [workspace] = await tx<{ used: number | null }[]>`
      select (select channels from daily_usage where user_id = ${owner_id} and day = ${day}) as used
      from workspaces where id = ${body.workspace_id} for key share of workspaces`
    if (!workspace) throw notFound('Workspace')
    // Saves work if the limit is already reached. If several channels are created at once, the last statement decides.
    if (limit !== null && (workspace.used ?? 0) >= limit) throw dailyLimitReached('channels', limit, now)
    const { attributes = [], ...columns } = body
    await tx`insert into channels ${tx({ id, ...columns })}`
    const { name, workspace_id, description, icon, mode } = columns
    await beginDocument(tx, id, { name, description, icon, mode, actions: [] })
    await writeAttributes(tx, id, attributes, now)
    const created = { id, name, url: `/c/${id}`, workspace_id }
    const response = responseToStore(created)
    if (response) await storeResponse(tx, response)
    // The day's row comes last, since the user's cards wait for it too.
    const [usage] = await tx<{ channels: number }[]>`
      insert into daily_usage (user_id, day, channels) values (${owner_id}, ${day}, 1)
      on conflict (user_id, day) do update set channels = daily_usage.channels + 1
        where ${limit}::integer is null or daily_usage.channels < ${limit}::integer
      returning channels`
    if (!usage) throw dailyLimitReached('channels', limit ?? 0, now)
    return { ...created, remaining: limit === null ? null : limit - usage.channels }
  })
}

/** How many channels the key reaches, and the only one; null if there are none or several. */
export async function findOnlyChannel(
  sql: Sql,
  { user_id, workspace_id }: Pick<Key, 'user_id' | 'workspace_id'>,
): Promise<{ count: number; id: string | null }> {
  const [found] = await sql<{ count: number; id: string | null }[]>`
    select count(*)::integer as count, case when count(*) = 1 then min(c.id::text) end as id
    from channels c join workspaces w on w.id = c.workspace_id
      left join workspace_members m on m.workspace_id = w.id and m.user_id = ${user_id} and m.role = 'editor'
    where (w.user_id = ${user_id} or m.user_id is not null)
      and (${workspace_id}::uuid is null or w.id = ${workspace_id})`
  return found ?? { count: 0, id: null }
}

/** Who may see the channel, and whether people may act in it. */
export async function readPlace(sql: Sql, id: string): Promise<Pick<Channel, 'visibility' | 'mode'>> {
  const [place] = await sql<Pick<Channel, 'visibility' | 'mode'>[]>`
    select w.visibility, c.mode from channels c join workspaces w on w.id = c.workspace_id where c.id = ${id}`
  if (!place) throw notFound('Channel')
  return place
}

export async function listChannels(sql: Sql, workspace_id: string): Promise<ListedChannel[]> {
  return sql<ListedChannel[]>`
    select c.id, c.name, c.description, c.mode, c.icon, c.workspace_id, c.created_at, d.card_count
    from channels c join documents d on d.channel_id = c.id
    where c.workspace_id = ${workspace_id} order by c.created_at, c.id`
}

export async function listChannelsWithSummaries(
  sql: Sql,
  workspace_id: string,
): Promise<SummarizedChannel[]> {
  const channels = await sql<(Omit<SummarizedChannel, 'last_card'> & UnfinishedSummary)[]>`
    select c.id, c.name, c.description, c.mode, c.icon, c.workspace_id, c.created_at, d.card_count,
      ${summaryColumns(sql)}
    from channels c join documents d on d.channel_id = c.id ${joinNewestCard(sql)}
    where c.workspace_id = ${workspace_id} order by c.created_at, c.id`
  return withTexts(sql, channels)
}

export async function getChannel(sql: Sql, id: string): Promise<ChannelWithActions> {
  const [channel] = await sql<Channel[]>`
    select c.id, ${sql(SETTING_COLUMNS)}, c.workspace_id, w.visibility, c.created_at, c.updated_at
    from channels c join workspaces w on w.id = c.workspace_id where c.id = ${id}`
  if (!channel) throw notFound('Channel')
  return { ...channel, actions: await listHeaderActions(sql, id) }
}

export async function patchChannel(
  sql: Sql,
  feeds: Feeds,
  { id, owner_id }: ChannelFacts,
  body: PatchChannelBody,
  now: number,
): Promise<ChannelWithActions> {
  // Empty if viewers see none of the changes. The turn still writes the row.
  const headChanges = withoutOwnerOnly(body)
  if (Object.keys(body).length > 0) {
    const changes = { ...body, updated_at: new Date(now).toISOString() }
    await feeds.get(id).writer.write({
      mutation: {
        kind: 'head',
        change: () => headChanges,
        ...(body.receipts && { receipts: body.receipts }),
      },
      owner_id,
      also: async tx => {
        await tx`update channels set ${tx(changes)} where id = ${id}`
      },
    })
    // Not in the turn, since there may be many deliveries. A delivery that this misses fails when it is due.
    if (body.webhook_url === null) await failWithoutUrl(sql, [id])
  }
  return getChannel(sql, id)
}

export async function listHeaderActions(sql: Sql, channel_id: string): Promise<HeaderAction[]> {
  return sql<HeaderAction[]>`
    select id, label, style, position from header_actions
    where channel_id = ${channel_id} order by position, number`
}

export async function setDeletionLimits(tx: Transaction): Promise<void> {
  await tx`
    select set_config('lock_timeout', ${DELETION_LOCK}, true),
      set_config('statement_timeout', ${DELETION_STATEMENT}, true)`
}

export async function deleteChannel(
  sql: Sql,
  feeds: Feeds,
  { id, workspace_id, owner_id }: ChannelFacts,
): Promise<void> {
  const remove = async (tx: Transaction) => {
    await setDeletionLimits(tx)
    // The document is locked before the channel, see the lock order in connect.ts.
    await tx`select from documents where channel_id = ${id} for update`
    const deleted = await tx`delete from channels where id = ${id} returning id`
    if (deleted.length === 0) throw notFound('Channel')
    await deleteResponsesBelow(tx, [owner_id, ...(await readEditors(tx, workspace_id))], [id])
  }
  await feeds.whilePaused([id], () => beginFor(sql, owner_id, remove))
}
