// Which kinds of things a run met, and how often. A run that planned a kind and never met it proves nothing about it.

import { groupBy } from '../group.ts'
import { oldestLivePage, pageOf } from '../model/pages.ts'
import type { Plan } from '../plan.ts'
import { isAbandoned, isKept } from './abandonment.ts'
import { byChannel, type Files } from './files.ts'
import { operationsOf } from './operations.ts'
import { questionsOf, wallAt } from './questions.ts'

export type Coverage = {
  counts: Record<string, number>
  /** Kinds that were planned and not met. */
  missing: string[]
}

const NEAR_MS = 500
/** With so many cards in a channel, the oldest page is archived. */
const ARCHIVED_FROM = 321

export function coverageOf(
  files: Files,
  plan: Pick<Plan, 'posts' | 'newcomers' | 'large' | 'cards' | 'watches'> | null,
): Coverage {
  const operations = (plan?.posts ?? []).flatMap(({ during, resume }) => [...during, ...resume])
  const planned = (kind: string) => operations.some(operation => operation.kind === kind)
  const archives =
    (plan?.cards ?? 0) >= ARCHIVED_FROM &&
    operations.some(one => one.kind === 'burst' && one.parts.some(({ kind }) => kind === 'delete'))
  const presses = files.tried.filter(({ request }) => request.kind === 'press')
  const questions = [...questionsOf(files.turns).values()]
  const ended = (state: string) => questions.filter(({ ends }) => ends[0]?.decision.state === state).length
  const planned_to_end = operations.filter(
    one => one.kind === 'ask' && one.apart && /leave|never/.test(one.waiters?.kind ?? ''),
  )
  const waitsOf = groupBy(files.waits, ({ decision_id }) => decision_id)
  const opened = files.revoked.flatMap(({ seen }) =>
    seen.flatMap(({ open }) => open.filter(one => one.opened)),
  )
  const kinds: [name: string, met: number, needed: boolean][] = [
    ['tries that overlap', countOverlaps(files), planned('burst')],
    ['turns with several cards', files.turns.filter(severalCards).length, planned('burst')],
    ['cards refused over quota', countRefusals(files), planned('burst')],
    ['questions decided', ended('decided'), planned('ask') && planned('press')],
    ['questions expired', ended('expired'), false],
    ['questions cancelled', ended('cancelled'), false],
    ['questions abandoned', questions.filter(isAbandoned).length, planned_to_end.length > 1],
    [
      'questions kept for a waiter that came back',
      questions.filter(question => isKept(question, waitsOf.get(question.id) ?? [])).length,
      false,
    ],
    ['presses refused', presses.filter(({ answer }) => answer?.status === 409).length, planned('press')],
    ['presses around a deadline', countNearDeadlines(files), false],
    [
      'waits that were told',
      files.waits.filter(({ answer }) => answer?.status === 200).length,
      planned('ask'),
    ],
    ['receipts hidden', files.hidden.filter(({ shown }) => shown).length, planned('hide')],
    ['changes of archived cards', countArchived(files, 'card.updated'), archives],
    ['deletions of archived cards', countArchived(files, 'card.deleted'), archives],
    ['viewers that join in a burst', countNewcomers(files, plan), (plan?.newcomers.length ?? 0) > 0],
    [
      'snapshots by the worker',
      files.ending.filter(record => record.kind === 'snapshot' && record.by_worker).length,
      (plan?.large ?? 0) > 0,
    ],
    ['streams that resumed', files.heard.filter(({ event }) => event === 'resumed').length, false],
    ...(['socket', 'workspace page', 'event stream', 'wait'] as const).map(
      (what): [string, number, boolean] => [
        `rights ended: ${what}`,
        opened.filter(one => one.what === what).length,
        planned('revoke'),
      ],
    ),
  ]
  return {
    counts: Object.fromEntries(kinds.map(([name, met]) => [name, met])),
    missing: kinds.flatMap(([name, met, needed]) => (needed && met === 0 ? [`no ${name}`] : [])),
  }
}

/** Of cards on pages that the document doesn't hold any more. */
function countArchived({ turns }: Files, event: 'card.updated' | 'card.deleted'): number {
  return [...byChannel(turns)].reduce((sum, [, log]) => {
    const places = new Map<string, number>()
    let count = 0
    for (const { events, oldest_page: left } of log)
      for (const { type, data } of events ?? []) {
        if (type === 'card.inserted') places.set(data.id, places.size)
        const oldest = oldestLivePage({ next_position: places.size, left })
        if (type === event) count += Number(pageOf(places.get(data.id) ?? Infinity) < oldest)
      }
    return sum + count
  }, 0)
}

/** Those that were joining while a write of a burst in their channel was under way. */
function countNewcomers({ seen, tried }: Files, plan: Pick<Plan, 'watches'> | null): number {
  const writes = byChannel(tried.filter(({ request }) => /-b\d+$/.test(request.op)))
  const newcomers = seen.filter(
    ({ kind, viewer }) => kind === 'joins' && viewer >= (plan?.watches.length ?? 0),
  )
  return newcomers.filter(({ viewer, channel_id, at }) => {
    const opened = seen.find(one => one.kind === 'opened' && one.viewer === viewer)?.at ?? 0
    return writes.get(channel_id)?.some(({ begin, end }) => begin < opened && at < end)
  }).length
}

function countOverlaps({ tried }: Files): number {
  return operationsOf(tried).filter(({ tries }) =>
    tries.some((one, i) => tries.slice(i + 1).some(other => other.begin < one.end)),
  ).length
}

function severalCards({ events }: Files['turns'][number]): boolean {
  const cards = (events ?? []).filter(({ type }) => type === 'card.inserted' || type === 'card.updated')
  return cards.length > 1
}

const countRefusals = ({ tried }: Files) => tried.filter(({ answer }) => answer?.status === 429).length

function countNearDeadlines({ turns, tried, clock }: Files): number {
  const questions = questionsOf(turns)
  const presses = tried.flatMap(({ request, begin }) =>
    request.kind === 'press' ? [{ request, begin }] : [],
  )
  const byQuestion = groupBy(presses, ({ request }) => request.decision_id)
  return [...byQuestion].reduce((sum, [id, all]) => {
    const deadline = Date.parse(questions.get(id)?.decision.expires_at ?? '')
    return (
      sum + all.filter(({ begin }) => clock && Math.abs(wallAt(begin, clock) - deadline) < NEAR_MS).length
    )
  }, 0)
}
