// Handwritten files of runs, for the tests of the checkers.
import type { Card } from '../../../shared/card.ts'
import type { TappedTurn } from '../cluster/tap.ts'
import type { Tried } from '../load/posters.ts'
import type { Answer } from '../load/request.ts'
import type { Request } from '../load/requests.ts'
import { blocksOf, newContents } from '../model/cards.ts'
import type { StoredDelivery } from '../run.ts'
import type { Files, Finding } from './files.ts'

export const CHANNEL = 'channel'
const AT = '2026-01-31T12:00:00.000Z'

export const filesOf = (given: Partial<Files>): Files => ({
  tried: [],
  turns: [],
  lost: [],
  seen: [],
  heard: [],
  delivered: [],
  deliveries: [],
  revoked: [],
  hidden: [],
  waits: [],
  machine: [],
  live: [],
  views: [],
  ending: [],
  spender: null,
  clock: null,
  secrets: null,
  marks: [],
  ...given,
})

/** A card of the log, as its turn shows it. */
export function cardOf(id: string, content: string, rows: string[] = []): Card {
  const blocks = JSON.parse(JSON.stringify(blocksOf({ ...newContents(content), rows })))
  return { id, channel_id: CHANNEL, status: 'default', blocks, created_at: AT, updated_at: AT }
}

export const turnOf = (seq: number, type: 'card.inserted' | 'card.updated', data: Card): TappedTurn => ({
  at: seq,
  n: seq,
  timeline: '00000001',
  wal: '0/0',
  channel_id: CHANNEL,
  epoch: 0,
  seq,
  clock: seq,
  turn_id: `turn ${seq}`,
  update: '',
  events: [{ type, data }],
})

export function triedOf(
  request: Request,
  [begin, end]: [number, number],
  status: number,
  body: unknown,
  more: Partial<Pick<Answer, 'replayed' | 'etag' | 'retry_after'>> = {},
): Tried {
  const answer = { status, body, replayed: false, ...more }
  return { request, channel_id: CHANNEL, instance: 0, begin, end, answer, error: null }
}

/** No answer was read. */
export const unknown = (request: Request, [begin, end]: [number, number]): Tried => ({
  ...triedOf(request, [begin, end], 0, null),
  answer: null,
  error: 'ECONNRESET',
})

/** Card `a`: created by the operation `one`, then patched by `two`. */
export const log = [
  turnOf(2, 'card.inserted', cardOf('a', 'one')),
  turnOf(3, 'card.updated', cardOf('a', 'one', ['two'])),
]
export const history = [
  triedOf({ kind: 'post', op: 'one', status: 'default' }, [10, 20], 201, { id: 'a' }),
  triedOf({ kind: 'patch', op: 'two', card_id: 'a' }, [30, 40], 200, {
    id: 'a',
    status: 'default',
    blocks: blocksOf({ ...newContents('one'), rows: ['two'] }),
  }),
]

export const promises = (findings: Finding[]) => findings.map(({ promise }) => promise)

export const DELIVERED: StoredDelivery = {
  channel_id: CHANNEL,
  interaction_id: 'i',
  number: 1,
  trigger: null,
  delivery_id: 'd',
  place: 1,
  status: 'success',
  sent: true,
  attempts: 1,
  error: null,
}
