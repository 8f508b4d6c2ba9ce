// P16: an instance that is asked to stop finishes the requests that are under way.
import type { Files, Finding } from './files.ts'

/** A request that fails sooner may have met a closed port. */
const UNDER_WAY_US = 200_000

export function checkStops({ marks, tried }: Files): Finding[] {
  return marks.flatMap(mark => {
    if (mark.kind !== 'fault' || mark.fault.kind !== 'stop') return []
    const { at, ended, stopped_at = ended, fault } = mark
    const cut = tried.filter(
      ({ instance, begin, end, answer }) =>
        instance === fault.instance &&
        answer === null &&
        begin >= at &&
        begin < stopped_at &&
        end <= ended &&
        end - begin >= UNDER_WAY_US,
    )
    return cut.map(({ request: { kind, op }, begin, end, error }) => ({
      promise: 'P16',
      message: `${kind} ${op} got ${error} after ${Math.round((end - begin) / 1000)} ms, because the instance stopped`,
    }))
  })
}
