// P5 for pages: an answer shows the page as it was after some write, and its ETag names the turn.
import { byChannel, type Files, type Finding } from './files.ts'
import { type CardBody, isCard, shown } from './linearizable.ts'
import { locate } from './locate.ts'
import { isWrite, type Operation, operationsOf } from './operations.ts'
import { intersect } from './ranges.ts'
import { type Replayed, rangesOfPage, replay } from './replay.ts'

export function checkPages({ tried, turns }: Files): Finding[] {
  const operations = byChannel(operationsOf(tried))
  return [...byChannel(turns)].flatMap(([channel_id, log]) => {
    const all = operations.get(channel_id) ?? []
    const writes = all.filter(isWrite)
    const replayed = replay(locate(log, writes).placed, writes)
    return all.flatMap(one => checkPage(one, replayed))
  })
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

type PageBody = { cards: (CardBody & { position: number })[] }

const isPage = (body: unknown): body is PageBody =>
  typeof body === 'object' &&
  body !== null &&
  'cards' in body &&
  Array.isArray(body.cards) &&
  body.cards.every(card => isCard(card) && 'position' in card)
