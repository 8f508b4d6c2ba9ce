// P10: how long a right lasts after it was taken away, on each instance.
import type { Revoked } from '../load/revoke.ts'
import type { Mark } from '../run.ts'
import type { Files, Finding } from './files.ts'

const S = 1_000_000
/** On all instances that hear it. */
const CALM_S = 2
/** If an instance must notice a dead connection first: a fault ended shortly before. */
const AFTER_FAULT_S = 5
const SHORTLY = 10 * S
/** If an instance died or was out of reach: from the end of the last fault on. */
const IN_FAULT_S = 10

export function checkRights({ revoked, marks }: Files): Finding[] {
  return revoked.flatMap(revocation =>
    revocation.seen.flatMap(({ instance, opened, closed, refused }) => {
      const name = `the ${revocation.right} of ${revocation.op} at instance ${instance}`
      return [
        ...checkEnd(`${name}: a request`, refused?.at ?? null, revocation, marks),
        ...(opened ? checkEnd(`${name}: a socket`, closed?.at ?? null, revocation, marks) : []),
      ]
    }),
  )
}

/** `ended`: null if it never did, while the run watched. */
function checkEnd(name: string, ended: number | null, { at }: Revoked, marks: Mark[]): Finding[] {
  if (ended !== null && ended <= at) return []
  const { since, bound_s } = boundOf(at, ended ?? Infinity, marks)
  const took_s = ended === null ? Infinity : (ended - since) / S
  if (took_s <= bound_s) return []
  const how_long = ended === null ? 'was never refused' : `was refused after ${took_s.toFixed(1)} s`
  return [{ promise: 'P10', message: `${name} ${how_long}, at most ${bound_s} s` }]
}

/** Faults delay what they touch, so the time counts from the end of the last one that the right lived through. */
function boundOf(at: number, ended: number, marks: Mark[]): { since: number; bound_s: number } {
  const faults = marks.filter(mark => mark.kind === 'fault')
  const during = faults.filter(fault => fault.at < ended && fault.ended > at)
  if (during.length > 0)
    return { since: Math.max(at, ...during.map(fault => fault.ended)), bound_s: IN_FAULT_S }
  const shortlyBefore = faults.some(fault => fault.ended <= at && fault.ended > at - SHORTLY)
  return { since: at, bound_s: shortlyBefore ? AFTER_FAULT_S : CALM_S }
}
