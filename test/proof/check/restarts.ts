// P16: in a rolling restart no request fails, and a viewer reconnects at most once for each stopped instance.
import { groupBy } from '../group.ts'
import type { Files, Finding } from './files.ts'

export function checkRestarts({ marks, tried, seen }: Pick<Files, 'marks' | 'tried' | 'seen'>): Finding[] {
  return marks.flatMap(mark => {
    if (mark.kind !== 'fault' || mark.fault.kind !== 'restart') return []
    const { at, ended, fault } = mark
    const wrong = (what: string) => ({
      promise: 'P16',
      message: `${what} while instance ${fault.instance} restarted`,
    })
    const failed = tried.filter(
      ({ begin, end, answer }) => begin <= ended && end >= at && (answer === null || answer.status >= 500),
    )
    const closed = seen.filter(one => one.kind === 'closed' && one.at >= at && one.at <= ended)
    return [
      ...failed.map(({ request: { kind, op }, answer, error }) =>
        wrong(`${kind} ${op} got ${answer?.status ?? error}`),
      ),
      ...[...groupBy(closed, ({ viewer }) => viewer)].flatMap(([viewer, { length }]) =>
        length > 1 ? [wrong(`viewer ${viewer} lost ${length} connections`)] : [],
      ),
    ]
  })
}
