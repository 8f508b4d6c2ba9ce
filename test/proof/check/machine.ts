// Bounds in time are judged with the speed of the machine, because other work on it delays everything.
import type { Files } from './files.ts'

/** How many times longer than on a quiet machine something may take between two moments; at least once. */
export function slownessIn({ machine }: Pick<Files, 'machine'>, from: number, to: number): number {
  const slow = machine.filter(({ at }) => at >= from && at <= to).map(record => record.slow)
  slow.sort((a, b) => a - b)
  return Math.max(1, slow[Math.ceil(slow.length * 0.9) - 1] ?? 1)
}
