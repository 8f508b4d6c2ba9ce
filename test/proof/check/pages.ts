// P5 for pages: an answer shows the page as it was after some write, and its ETag names the turn. P6: an instance may miss
// a page that has just begun.
import { pageOf } from '../model/pages.ts'
import type { Mark } from '../run.ts'
import { byChannel, type Files, type Finding } from './files.ts'
import { type CardBody, isCard, shown } from './linearizable.ts'
import { locate, type Placed } from './locate.ts'
import { isWrite, type Operation, operationsOf } from './operations.ts'
import { intersect } from './ranges.ts'
import { includes, type Replayed, rangesOfPage, replay } from './replay.ts'

const S = 1_000_000
/** P6: how long a page may be missing without faults, and after one. */
const CALM_US = 1 * S
const HEALED_US = 10 * S

export function checkPages({ tried, turns, marks }: Files): Finding[] {
  const operations = byChannel(operationsOf(tried))
  return [...byChannel(turns)].flatMap(([channel_id, log]) => {
    const all = operations.get(channel_id) ?? []
    const writes = all.filter(isWrite)
    const located = locate(log, writes)
    const replayed = replay(located, writes)
    const begun = beginsOf(located.placed, replayed)
    return all.flatMap(one => (isMissing(one) ? checkMissing(one, begun, marks) : checkPage(one, replayed)))
  })
}

/** When each page's first card was in the log. */
function beginsOf(placed: Placed[], { cards }: Replayed): Map<number, number> {
  const begins = new Map<number, number>()
  for (const { card_id, turn } of placed) {
    const page = pageOf(cards.get(card_id)?.place ?? 0)
    if (!begins.has(page)) begins.set(page, turn.at)
  }
  return begins
}

const isMissing = ({ request, answer }: Operation) =>
  request.kind === 'page' && answer?.status === 404 && includes(answer.body, PAGE_NOT_FOUND)

function checkMissing({ request, begin }: Operation, begins: Map<number, number>, marks: Mark[]): Finding[] {
  if (request.kind !== 'page') return []
  const begun = begins.get(request.page)
  if (begun === undefined || begin <= shownBy(begun, marks)) return []
  const late_ms = Math.round((begin - begun) / 1000)
  return [
    {
      promise: 'P6',
      message: `page ${request.page} (${request.op}) was missing ${late_ms} ms after it had begun`,
    },
  ]
}

/** What was written at `at`. Faults before that or meanwhile delay it. */
function shownBy(at: number, marks: Mark[]): number {
  const faults = marks.filter(mark => mark.kind === 'fault').sort((a, b) => a.at - b.at)
  return faults.reduce(
    (until, fault) => (fault.at < until ? Math.max(until, fault.ended + HEALED_US) : until),
    at + CALM_US,
  )
}

function checkPage({ request, answer }: Operation, replayed: Replayed): Finding[] {
  if (request.kind !== 'page' || !answer) return []
  const { status, body, etag = '' } = answer
  const name = `page ${request.page} (${request.op}, ETag ${etag})`
  const wrong = (what: string) => [{ promise: 'P5', message: `${name} ${what}` }]
  if (status === 304) return etag === request.etag ? [] : wrong(`got 304 for the ETag ${request.etag}`)
  if (status !== 200 || !isPage(body)) return wrong(`got ${status} ${JSON.stringify(body)}`)
  const cards = body.cards.map(card => ({ id: card.id, body: shown(card) }))
  const ranges = rangesOfPage(replayed, request.page, cards)
  if (ranges.length === 0) return wrong('shows what the channel never showed')
  for (const { id, position } of body.cards)
    if (replayed.cards.get(id)?.place !== position) return wrong(`has card ${id} at position ${position}`)
  // An archived page that hasn't changed since has version 0.
  const seq = Number(etag.replaceAll('"', '').split('.')[1])
  if (seq === 0) return []
  const after = replayed.turns.findLast(turn => turn.seq <= seq)?.position ?? 0
  return intersect(ranges, [{ lo: after, hi: after }]).length > 0
    ? []
    : wrong(
        `isn't the page after turn ${seq}, but at ${ranges.map(({ lo, hi }) => `${lo} to ${hi}`).join(', ')}`,
      )
}

const PAGE_NOT_FOUND = { error: 'Page not found' }

type PageBody = { cards: (CardBody & { position: number })[] }

const isPage = (body: unknown): body is PageBody =>
  typeof body === 'object' &&
  body !== null &&
  'cards' in body &&
  Array.isArray(body.cards) &&
  body.cards.every(card => isCard(card) && 'position' in card)
