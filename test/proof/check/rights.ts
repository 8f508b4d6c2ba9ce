// P10: how long a right lasts after it was taken away, on each instance.
import type { Revoked } from '../load/revoke.ts'
import type { Files, Finding } from './files.ts'
import { slownessIn } from './machine.ts'

const S = 1_000_000
/** On all instances that hear it. */
const CALM_S = 2
/** If an instance must notice a dead connection first: a fault ended shortly before. */
const AFTER_FAULT_S = 5
const SHORTLY = 10 * S
/** If an instance died or was out of reach: from the end of the last fault on. */
const IN_FAULT_S = 10

export function checkRights({ revoked, ...files }: Pick<Files, 'revoked' | 'marks' | 'machine'>): Finding[] {
  return revoked.flatMap(revocation =>
    revocation.seen.flatMap(({ instance, allowed, open, refused }) => {
      const name = `the ${revocation.right} of ${revocation.op} at instance ${instance}`
      return [
        ...(allowed ? checkEnd(`${name}: a request`, refused?.at ?? null, revocation, files) : []),
        ...open.flatMap(({ what, opened, closed }) =>
          opened ? checkEnd(`${name}: a ${what}`, closed?.at ?? null, revocation, files) : [],
        ),
      ]
    }),
  )
}

/** `ended`: null if it never did, while the run watched. */
function checkEnd(name: string, ended: number | null, { at }: Revoked, files: Timed): Finding[] {
  const limit = limitOf(at, files)
  if (ended !== null && ended <= limit) return []
  const seconds = (time: number) => ((time - at) / S).toFixed(1)
  const when = ended === null ? 'never ended' : `ended after ${seconds(ended)} s`
  return [{ promise: 'P10', message: `${name} ${when}, not within ${seconds(limit)} s` }]
}

/** Faults delay what they touch: from the end of one that the right may have lived through, the time counts anew. */
type Timed = Pick<Files, 'marks' | 'machine'>

export const limitOf = (at: number, files: Timed): number => deadlineOf(at, files, CALM_S)

export function deadlineOf(
  at: number,
  { marks, machine }: Timed,
  calm_s: number,
  in_fault_s = IN_FAULT_S,
): number {
  const faults = marks.filter(mark => mark.kind === 'fault').sort((a, b) => a.at - b.at)
  const shortlyBefore = faults.some(({ ended }) => ended <= at && ended > at - SHORTLY)
  let limit = at + (shortlyBefore ? Math.max(AFTER_FAULT_S, calm_s) : calm_s) * S
  for (const fault of faults)
    if (fault.ended > at && fault.at < limit) limit = Math.max(limit, fault.ended + in_fault_s * S)
  return at + (limit - at) * slownessIn({ machine }, at, limit)
}
