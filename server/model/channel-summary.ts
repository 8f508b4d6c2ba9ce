// What lists of channels show of each channel, as columns of a query.
import type { ChannelSummary, WebhookHealth } from '../../shared/channel-summary.ts'
import type { Decision } from '../../shared/decision.ts'
import type { AnySql } from '../database/connect.ts'
import type { Fragment } from './activity.ts'
import { cardVersion, type VersionedCard } from './card-texts.ts'
import { allowedTo, type Decider } from './waiting-cards.ts'

/** The waiting questions of a channel. `listed`: how many of them list each user; null unless `who` is `listed`. */
type WaitingQuestions = {
  is_interactive: boolean
  asked: { who: Decision['who']; count: number; listed: Record<string, number> | null }[]
}

/** The same for all viewers. */
export type ReadSummary = {
  last_card: ChannelSummary['last_card']
  questions: WaitingQuestions
  webhook: WebhookHealth | null
}

export type UnfinishedSummary = Omit<ReadSummary, 'last_card'> & { last_card: VersionedCard | null }

/** Who looks at a list. */
export type SummaryViewer = Decider & { can_act: boolean }

const DELIVERIES = 20

/** Joins `newest`, the newest card of the channel `c`. */
export const joinNewestCard = (sql: AnySql) => sql`
  left join lateral (
    select id, position, status, created_at, ${cardVersion(sql)} as version from cards
    where channel_id = c.id order by position desc limit 1
  ) newest on true`

/** The columns of `UnfinishedSummary`. The query has joined `newest`. */
export const summaryColumns = (sql: AnySql) => sql`
  ${lastCard(sql)} as last_card, ${questions(sql)} as questions, ${webhook(sql)} as webhook`

const lastCard = (sql: AnySql): Fragment => sql`
  case when newest.id is not null then json_build_object(
    'id', newest.id, 'status', newest.status, 'version', newest.version,
    'created_at', to_char(newest.created_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')) end`

const isWaiting = (sql: AnySql): Fragment => sql`
  d.channel_id = c.id and d.state = 'waiting' and (d.expires_at is null or d.expires_at > now())`

/** The listed people are read only where a question lists some. */
const questions = (sql: AnySql): Fragment => sql`
  json_build_object('is_interactive', c.mode = 'interactive', 'asked', (
    select coalesce(json_agg(json_build_object('who', who, 'count', count, 'listed', case when who = 'listed' then (
      select json_object_agg(user_id, count) from (
        select person->>'user_id' as user_id, count(distinct d.id)
        from decisions d, json_array_elements(d.details->'listed') person
        where ${isWaiting(sql)} and d.decision->>'who' = 'listed' group by 1
      ) by_person
    ) end) order by who), '[]')
    from (select d.decision->>'who' as who, count(*) from decisions d where ${isWaiting(sql)} group by 1) by_who
  ))`

const webhook = (sql: AnySql): Fragment => sql`
  case when c.webhook_url is not null then (
    select json_build_object('failed', count(*) filter (where ended.status = 'failed'), 'of', count(*))
    from (
      select status from webhook_deliveries
      where channel_id = c.id and status in ('success', 'failed') order by place desc limit ${DELIVERIES}
    ) ended) end`

/** A channel as this viewer sees it in a list. */
export function summaryFor<T extends Pick<ReadSummary, 'questions'>>(
  { questions, ...channel }: T,
  viewer: SummaryViewer,
): Omit<T, 'questions'> & Pick<ChannelSummary, 'waiting' | 'needs_you'> {
  const { is_interactive, asked } = questions
  const canAct = is_interactive && viewer.can_act
  const allowed = allowedTo(viewer)
  let [waiting, needs_you] = [0, 0]
  for (const { who, count, listed } of asked) {
    waiting += count
    if (!canAct) continue
    if (allowed.includes(who)) needs_you += count
    else if (listed && viewer.user_id !== null) needs_you += listed[viewer.user_id] ?? 0
  }
  return { ...channel, waiting, needs_you }
}

export function publicSummary<T extends { webhook?: unknown }>({
  webhook: _,
  ...summary
}: T): Omit<T, 'webhook'> {
  return summary
}
