// P14: when one instance and the database have healed, requests there succeed, whatever else stays broken.
import { type Files, type Finding, phaseOf } from './files.ts'

const HEALED_MS = 5_000

export function checkProgress({ tried, marks }: Pick<Files, 'tried' | 'marks'>): Finding[] {
  const [core, heal] = [phaseOf(marks, 'core'), phaseOf(marks, 'heal')]
  if (core === Infinity) return []
  const since_ms = (at: number) => Math.round((at - core) / 1000)
  const late = tried.filter(({ begin }) => begin < heal && since_ms(begin) >= HEALED_MS)
  if (late.length === 0)
    return [{ promise: 'P14', message: 'no request was sent after the database had healed' }]
  return late
    .filter(({ answer }) => answer === null || answer.status >= 500)
    .map(({ request: { kind, op }, instance, begin, answer, error }) => ({
      promise: 'P14',
      message: `${kind} ${op} to instance ${instance} got ${answer?.status ?? error}, ${since_ms(begin)} ms after the database had healed`,
    }))
}
