// What lists of channels show of each channel, as columns of a query.
import type { ChannelSummary } from '../../shared/channel-summary.ts'
import type { AnySql } from '../database/connect.ts'
import type { Fragment } from './activity.ts'
import { cardVersion, type VersionedCard } from './card-texts.ts'

/** What the owner sees: `publicSummary` is for viewers who aren't the owner. */
export type OwnSummary = Required<ChannelSummary>

const DELIVERIES = 20

export type UnfinishedSummary = Omit<OwnSummary, 'last_card'> & { last_card: VersionedCard | null }

/** Joins `newest`, the newest card of the channel `c`. */
export const joinNewestCard = (sql: AnySql) => sql`
  left join lateral (
    select id, position, status, created_at, ${cardVersion(sql)} as version from cards
    where channel_id = c.id order by position desc limit 1
  ) newest on true`

/** The columns of `UnfinishedSummary`. The query has joined `newest`. */
export const summaryColumns = (sql: AnySql) => sql`
  ${lastCard(sql)} as last_card, ${waiting(sql)} as waiting, ${webhook(sql)} as webhook`

const lastCard = (sql: AnySql): Fragment => sql`
  case when newest.id is not null then json_build_object(
    'id', newest.id, 'status', newest.status, 'version', newest.version,
    'created_at', to_char(newest.created_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')) end`

const waiting = (sql: AnySql): Fragment => sql`(
  select count(*)::integer from decisions d
  where d.channel_id = c.id and d.state = 'waiting' and (d.expires_at is null or d.expires_at > now()))`

const webhook = (sql: AnySql): Fragment => sql`
  case when c.webhook_url is not null then (
    select json_build_object('failed', count(*) filter (where ended.status = 'failed'), 'of', count(*))
    from (
      select status from webhook_deliveries
      where channel_id = c.id and status in ('success', 'failed') order by place desc limit ${DELIVERIES}
    ) ended) end`

export function publicSummary<T extends { webhook?: unknown }>({
  webhook: _,
  ...summary
}: T): Omit<T, 'webhook'> {
  return summary
}
