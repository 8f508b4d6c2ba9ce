// P6 without faults: viewers show a write within a second of its acknowledgement, except one in a hundred.
import { latenessOf } from '../felt.ts'
import { type Files, type Finding, phaseOf } from './files.ts'
import { slownessIn } from './machine.ts'

const P99_MS = 1_000

export function checkCalm(files: Pick<Files, 'marks' | 'seen' | 'tried' | 'turns' | 'machine'>): Finding[] {
  const resume = phaseOf(files.marks, 'resume')
  const calm = latenessOf(files).late.filter(({ from }) => from >= resume)
  const took_ms = calm.map(({ from, to }) => (to - from) / 1000).sort((a, b) => a - b)
  const p99 = took_ms[Math.ceil(took_ms.length * 0.99) - 1] ?? 0
  const slow = slownessIn(files, resume, phaseOf(files.marks, 'end'))
  if (p99 <= P99_MS * slow) return []
  const message = `without faults, the p99 from acknowledgement to viewer was ${Math.round(p99)} ms on a machine that was ${slow.toFixed(1)} times slower`
  return [{ promise: 'P6', message }]
}
