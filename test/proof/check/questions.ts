// What the log says of every question: when it was asked, and how it ended. Everything that a client was told of it.
import type { FullDecision } from '../../../shared/decision.ts'
import type { TappedTurn } from '../cluster/tap.ts'
import type { Answer } from '../load/request.ts'
import type { Request } from '../load/requests.ts'
import { canonical } from './canonical.ts'
import type { Files } from './files.ts'

type Ending = { turn: TappedTurn; decision: FullDecision }

export type Asked = {
  id: string
  channel_id: string
  card_id: string
  turn: TappedTurn
  decision: FullDecision
  /** In the order of the log. One, unless a promise is broken. */
  ends: Ending[]
}

/** By id. */
export function questionsOf(turns: TappedTurn[]): Map<string, Asked> {
  const questions = new Map<string, Asked>()
  for (const turn of turns)
    for (const { type, data } of turn.events ?? []) {
      if (!('asked_at' in data)) continue
      const { id, channel_id, card_id } = data
      const known = questions.get(id)
      if (!known)
        questions.set(id, { id, channel_id, card_id: card_id ?? '', turn, decision: data, ends: [] })
      if (type !== 'decision.waiting') questions.get(id)?.ends.push({ turn, decision: data })
    }
  return questions
}

/** The part of both forms of a decision that says how it ended. */
export type Form = Pick<FullDecision, 'id' | 'state' | 'reason' | 'ended_at'> & {
  outcome: Pick<NonNullable<FullDecision['outcome']>, 'button_id' | 'timestamp'> | null
}

/** How a decision ended, for comparisons. */
export const endingOf = ({ state, reason, ended_at, outcome }: Form): string =>
  canonical({ state, reason, ended_at, chosen: outcome && [outcome.button_id, outcome.timestamp] })

/** What somebody was told. `read`: by a request that reads the present state. */
export type Told = { form: Form; begin: number; end: number; by: string; read: boolean }

const READS: Request['kind'][] = ['get', 'get key', 'list', 'read decision', 'list decisions']

export function toldBy({ tried, waits, heard, delivered, views }: Files): Told[] {
  const all: Told[] = []
  const add = (body: unknown, more: Omit<Told, 'form'>) => {
    for (const form of formsIn(body)) all.push({ form, ...more })
  }
  for (const { request, begin, end, answer } of tried)
    if (answer && !answer.replayed)
      add(answer.body, { begin, end, by: `${request.kind} ${request.op}`, read: isRead(request, answer) })
  for (const { instance, begin, end, answer } of waits)
    if (answer)
      add(answer.body, { begin, end: end ?? begin, by: `a wait at instance ${instance}`, read: true })
  for (const { at, stream, data } of heard)
    add(data, { begin: at, end: at, by: `stream ${stream}`, read: false })
  for (const { at, webhook_id, body, complete } of delivered)
    if (complete && body.includes('"asked_at"'))
      add(JSON.parse(body), { begin: at, end: at, by: `webhook ${webhook_id}`, read: false })
  for (const view of views)
    if ('cards' in view) add(view.cards, { begin: 0, end: Infinity, by: view.name, read: false })
  return all
}

const isRead = ({ kind }: Request, { status }: Answer) => status === 200 && READS.includes(kind)

/** Every decision within a body, however deep. */
export function formsIn(body: unknown): Form[] {
  if (typeof body !== 'object' || body === null) return []
  if (isForm(body)) return [body]
  return Object.values(body).flatMap(formsIn)
}

const isForm = (body: object): body is Form =>
  'id' in body && 'asked_at' in body && 'ended_at' in body && 'state' in body && 'outcome' in body

/** The wall clock at a time of the run's files, in milliseconds. */
export const wallAt = (at: number, clock: NonNullable<Files['clock']>): number =>
  clock.wall_ms + (at - clock.at) / 1000

/** Instances with other clocks judge deadlines by them. */
export const hasOddClocks = ({ marks }: Pick<Files, 'marks'>) =>
  marks.some(mark => mark.kind === 'fault' && mark.fault.kind === 'clock')
