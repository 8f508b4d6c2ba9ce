// D1, D3 and D6: a question ends once, nobody decides after its deadline, and everybody is told the same outcome.
import type { FullDecision } from '../../../shared/decision.ts'
import { groupBy } from '../group.ts'
import type { Files, Finding } from './files.ts'
import { where } from './locate.ts'
import { operationsOf } from './operations.ts'
import { type Asked, endingOf, hasOddClocks, questionsOf, type Told, toldBy, wallAt } from './questions.ts'

/** The two clocks drift apart during a run. */
const DRIFT_MS = 20

export function checkDecisions(files: Files): Finding[] {
  const questions = questionsOf(files.turns)
  const told = groupBy(toldBy(files), ({ form }) => form.id)
  const rows = new Map(
    files.ending.flatMap(record => (record.kind === 'decision' ? [[record.decision.id, record]] : [])),
  )
  return [...questions.values()].flatMap(question => {
    const { id } = question
    const heard = told.get(id) ?? []
    const row = rows.get(id)
    return [
      ...checkEnds(question),
      ...(rows.size > 0 ? checkRow(question, row) : []),
      ...checkTold(question, heard),
      ...checkOrder(question, heard),
      ...(hasOddClocks(files) ? [] : checkDeadline(question, heard, files)),
    ]
  })
}

const nameOf = ({ id }: Asked) => `decision ${id}`

function checkEnds(question: Asked): Finding[] {
  if (question.ends.length < 2) return []
  const ends = question.ends.map(({ turn, decision: { state } }) => `${state} (${where(turn)})`)
  return [{ promise: 'D1', message: `${nameOf(question)} ended as ${ends.join(' and as ')}` }]
}

/** What the log says in the end. */
const lastOf = ({ decision, ends }: Asked): FullDecision => ends.at(-1)?.decision ?? decision

/** The table has what the log has, and the interaction that ended it. */
function checkRow(
  question: Asked,
  row: Extract<Files['ending'][number], { kind: 'decision' }> | undefined,
): Finding[] {
  const wrong = (what: string) => [{ promise: 'D6', message: `${nameOf(question)} ${what}` }]
  const last = lastOf(question)
  if (!row) return wrong('is in the log and not in the table')
  if (endingOf(row.decision) !== endingOf(last))
    return wrong(`is ${endingOf(row.decision)} in the table, and ${endingOf(last)} in the log`)
  const expected =
    last.state === 'decided'
      ? [last.outcome?.interaction_id]
      : row.presses.slice(0, last.state === 'expired' ? 1 : 0)
  const missing = last.state === 'expired' && row.presses.length === 0
  return missing || String(row.presses) !== String(expected)
    ? wrong(`is ${last.state}, and its interactions are ${row.presses.join(', ') || 'none'}`)
    : []
}

/** Everybody is told that it waits, or how it ended. */
function checkTold(question: Asked, told: Told[]): Finding[] {
  const ending = endingOf(lastOf(question))
  const other = told.find(({ form }) => form.state !== 'waiting' && endingOf(form) !== ending)
  if (!other) return []
  const message = `${nameOf(question)} is ${endingOf(other.form)} for ${other.by}, and ${ending} in the log`
  return [{ promise: 'D6', message }]
}

/** Once somebody was told how it ended, no read says that it still waits. */
function checkOrder(question: Asked, told: Told[]): Finding[] {
  const ended = told.filter(({ form }) => form.state !== 'waiting').sort((a, b) => a.end - b.end)[0]
  const late = told.find(
    ({ form, begin, read }) => read && form.state === 'waiting' && begin > (ended?.end ?? Infinity),
  )
  if (!ended || !late) return []
  const message = `${nameOf(question)} still waits for ${late.by}, after ${ended.by} was told that it is ${ended.form.state}`
  return [{ promise: 'D1', message }]
}

function checkDeadline(question: Asked, told: Told[], { tried, clock }: Files): Finding[] {
  const { expires_at, state, outcome, ended_at } = lastOf(question)
  if (expires_at === null || clock === null) return []
  const deadline = Date.parse(expires_at)
  const isLate = (at: number) => wallAt(at, clock) > deadline + DRIFT_MS
  const wrong = (what: string) => [
    { promise: 'D3', message: `${nameOf(question)} (deadline ${expires_at}) ${what}` },
  ]
  if (state === 'decided') {
    const press = operationsOf(tried).find(
      ({ request }) => request.kind === 'press' && request.interaction_id === outcome?.interaction_id,
    )
    if (Date.parse(ended_at ?? '') >= deadline) return wrong(`was decided at ${ended_at}`)
    if (press && isLate(press.begin)) return wrong(`was decided by ${press.request.op}, which was sent later`)
  }
  const open = told.find(
    ({ form, begin, by }) => form.state === 'waiting' && isLate(begin) && /decision|wait/.test(by),
  )
  return open ? wrong(`still waited for ${open.by}`) : []
}
