// P3 and P4: the writes of a channel and the reads of its cards are linearizable. In general that takes a search; here the
// log tells the order, so two sorts and a sweep are enough.
import type { Answer } from '../load/request.ts'
import { QUESTION_BLOCK } from '../model/questions.ts'
import { CARD_NOT_FOUND, KEY_IN_USE, OVER_QUOTA, refusalOf } from '../model/refusals.ts'
import type { Expected } from '../model/world.ts'
import { canonical } from './canonical.ts'
import { byChannel, type Files, type Finding } from './files.ts'
import { locate } from './locate.ts'
import { isAcknowledged, isWrite, type Operation, operationsOf } from './operations.ts'
import { EVERYWHERE, type Range } from './ranges.ts'
import {
  includes,
  type Replayed,
  rangesOf,
  rangesOfList,
  replay,
  whereItExists,
  whereKeyIsFree,
} from './replay.ts'

export function checkLinearizable({ tried, turns }: Files): Finding[] {
  const operations = byChannel(operationsOf(tried))
  return [...byChannel(turns)].flatMap(([channel_id, log]) => {
    const all = operations.get(channel_id) ?? []
    const writes = all.filter(isWrite)
    const replayed = replay(locate(log, writes), writes)
    return [...replayed.findings, ...sweep(all, replayed)]
  })
}

/** When an operation may have taken effect. `position`: of a write in the log. */
type Step = { operation: Operation; position: number } | { operation: Operation; ranges: Range[] }

function sweep(operations: Operation[], replayed: Replayed): Finding[] {
  const steps = operations.flatMap(operation => stepsOf(operation, replayed))
  const moments = steps.flatMap(step => [
    { at: step.operation.begin, ends: false, step },
    { at: step.operation.end, ends: true, step },
  ])
  // Operations that touch count as concurrent.
  moments.sort((a, b) => a.at - b.at || Number(a.ends) - Number(b.ends))
  const findings: Finding[] = []
  const floors = new Map<Step, number>()
  /** The highest position of the operations that have returned. */
  let highest = 0
  for (const { ends, step, at } of moments) {
    if (!ends) {
      floors.set(step, highest)
      continue
    }
    const floor = floors.get(step) ?? 0
    const { request, answer } = step.operation
    const late = (what: string) =>
      findings.push({
        promise: isWrite(step.operation) ? 'P3' : 'P4',
        message: `${request.kind} ${request.op} ${what}, after operations up to ${floor} had returned (${answer?.status})`,
      })
    if ('position' in step) {
      if (step.position <= floor) late(`took effect at ${step.position}`)
      if (at !== Infinity) highest = Math.max(highest, step.position)
    } else {
      const range = step.ranges.find(({ hi }) => hi >= floor)
      if (range) highest = Math.max(highest, range.lo)
      else late(`was true ${step.ranges.map(({ lo, hi }) => `from ${lo} to ${hi}`).join(', ') || 'never'}`)
    }
  }
  return findings
}

function stepsOf(operation: Operation, replayed: Replayed): Step[] {
  const { request, answer } = operation
  const position = replayed.positions.get(request.op)
  if (position !== undefined) return [{ operation, position }]
  // Lost writes are for another checker; what is unknown and not in the log didn't happen.
  if (!answer || (isWrite(operation) && isAcknowledged(operation))) return []
  const ranges = rangesOfAnswer(operation, replayed)
  return ranges ? [{ operation, ranges }] : []
}

/** Null if the answer says nothing about the present cards. */
function rangesOfAnswer({ request, answer }: Operation, replayed: Replayed): Range[] | null {
  if (!answer) return null
  const { status, body } = answer
  const notFound = is(answer, CARD_NOT_FOUND)
  switch (request.kind) {
    case 'list':
      return status === 200 && isList(body)
        ? rangesOfList(
            replayed,
            body.cards.map(card => ({ id: card.id, body: shown(card) })),
            body.next_cursor === null,
          )
        : null
    case 'get':
      if (notFound) return rangesOf(replayed, request.card_id, null)
      return status === 200 && isCard(body) ? rangesOf(replayed, request.card_id, shown(body)) : []
    case 'get key':
      if (notFound) return whereKeyIsFree(replayed, request.key)
      return status === 200 && isCard(body) ? rangesOf(replayed, body.id, shown(body)) : []
    case 'patch':
    case 'delete':
      return notFound ? rangesOf(replayed, request.card_id, null) : []
    case 'refused':
      if ('card_id' in request && notFound) return rangesOf(replayed, request.card_id, null)
      if (!is(answer, refusalOf(request))) return []
      return 'card_id' in request ? whereItExists(replayed, request.card_id) : EVERYWHERE
    case 'post':
    case 'put':
      // Other checkers know when the limit was used up, and which questions waited. Nothing else refuses these.
      return is(answer, OVER_QUOTA) || is(answer, KEY_IN_USE) ? null : []
    default:
      return null
  }
}

const is = ({ status, body }: Answer, expected: Expected) =>
  status === expected.status && includes(body, expected.body)

export type CardBody = { id: string; status: string; blocks: unknown; key?: string }

/** As the model writes a card. */
export const shown = ({ status, blocks, key }: CardBody): string =>
  canonical({ status, blocks: withoutQuestion(blocks), ...(key !== undefined && { key }) })

/** What became of a question is for another checker. */
export const withoutQuestion = (blocks: unknown): unknown =>
  Array.isArray(blocks)
    ? blocks.map((block: { id?: unknown; type?: unknown }) =>
        block.id === QUESTION_BLOCK ? { id: block.id, type: block.type } : block,
      )
    : blocks

export const isCard = (body: unknown): body is CardBody =>
  typeof body === 'object' && body !== null && 'id' in body && 'blocks' in body && 'status' in body

const isList = (body: unknown): body is { cards: CardBody[]; next_cursor: string | null } =>
  typeof body === 'object' &&
  body !== null &&
  'cards' in body &&
  Array.isArray(body.cards) &&
  body.cards.every(isCard)
