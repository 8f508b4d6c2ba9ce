// P15: what a soak sampled neither grows with time nor stays when everyone has left. Deterministic: an old run can be
// judged again.

import type { SoakPlan } from './plan.ts'
import type { Sample } from './samples.ts'
import { judge, type Point, type Slope, slopeOf, type Verdict } from './slopes.ts'

/** `figure`: what was measured, in words. */
export type Judged = { name: string; verdict: Verdict; figure: string; limit: string }

type Of<K extends Sample['kind']> = Extract<Sample, { kind: K }>
/** A change per day: `share` of the mean, or `by` units. */
type Limit = { by: number } | { share: number }

const MB = 1e6
const HEAP: Limit = { by: 8 * MB }
const RSS: Limit = { share: 0.05 }
const ONE: Limit = { by: 1 }
const P99: Limit = { share: 0.1 }
const IDLE_MORE = 3
const OLD_LOG_ROWS = 64

export function judgeSoak(samples: Sample[], plan: SoakPlan): Judged[] {
  const first = samples.find(({ moment }) => moment === 'load')?.at ?? 0
  const counted = samples.filter(
    ({ at, moment }) => moment === 'load' && at >= first + plan.warm_up_ms * 1000,
  )
  const slope = (name: string, points: Point[], limit: Limit, unit: number, digits: number): Judged => {
    const fitted = slopeOf(points, plan.sample_ms * 1000)
    const allowed = ('by' in limit ? limit.by : limit.share * (fitted?.mean ?? 0)) * plan.limits_times
    const show = (value: number) => (value / unit).toFixed(digits)
    const limit_text =
      'by' in limit ? show(allowed) : `${Math.round(limit.share * plan.limits_times * 100)} %`
    const figure = fitted
      ? `${show(fitted.mean)}, ${show(fitted.per_day)} a day (${show(fitted.low)} to ${show(fitted.high)}), ${fitted.windows} means`
      : 'too few samples'
    return { name, verdict: verdictOf(fitted, allowed, plan), figure, limit: `+ ${limit_text} a day` }
  }
  const series = <K extends Sample['kind']>(kind: K, read: (sample: Of<K>) => number) =>
    of(counted, kind).map(sample => ({ at: sample.at, value: read(sample) }))

  const lived = livedThroughout(samples)
  const instances = lived.flatMap(name => {
    const points = (read: (sample: Of<'instance'>) => number) =>
      of(counted, 'instance')
        .filter(({ instance }) => instance === name)
        .map(sample => ({ at: sample.at, value: read(sample) }))
    return [
      slope(
        `${name}: heap after a collection, MB`,
        points(({ heap }) => heap),
        HEAP,
        MB,
        2,
      ),
      slope(
        `${name}: RSS, MB`,
        points(({ rss }) => rss),
        RSS,
        MB,
        1,
      ),
      slope(
        `${name}: descriptors`,
        points(({ descriptors }) => descriptors),
        ONE,
        1,
        1,
      ),
      slope(
        `${name}: handles`,
        points(({ handles }) => handles),
        ONE,
        1,
        1,
      ),
    ]
  })
  return [
    ...instances,
    slope(
      'connections to PostgreSQL',
      series('database', ({ connections }) => connections),
      ONE,
      1,
      1,
    ),
    slope(
      'p99 of POST, ms',
      series('clients', ({ post }) => post.p99),
      P99,
      1,
      2,
    ),
    slope(
      'p99 of POST to viewer, ms',
      series('clients', ({ seen }) => seen.p99),
      P99,
      1,
      2,
    ),
    ...judgeIdle(samples, lived),
    ...judgeBounds(counted),
  ]
}

function verdictOf(slope: Slope | null, limit: number, { warmed_up }: SoakPlan): Verdict {
  const verdict = judge(slope, limit)
  return verdict === 'fail' && !warmed_up ? 'inconclusive' : verdict
}

/** Only these tell what a process keeps. */
function livedThroughout(samples: Sample[]): string[] {
  const pids = new Map<string, Set<number>>()
  for (const { instance, pid } of of(samples, 'instance'))
    pids.set(instance, (pids.get(instance) ?? new Set()).add(pid))
  return [...pids].filter(([, { size }]) => size === 1).map(([name]) => name)
}

function judgeIdle(samples: Sample[], lived: string[]): Judged[] {
  const idle = <K extends Sample['kind']>(
    kind: K,
    moment: Sample['moment'],
    read: (sample: Of<K>) => number | null,
  ) =>
    of(samples, kind)
      .filter(sample => sample.moment === moment)
      .map(read)
      .find(value => value !== null)
  const compare = (
    name: string,
    before: number | null | undefined,
    after: number | null | undefined,
  ): Judged => {
    const limit = `at most ${IDLE_MORE} more`
    if (typeof before !== 'number' || typeof after !== 'number')
      return { name, verdict: 'inconclusive', figure: 'not sampled', limit }
    const verdict = after <= before + IDLE_MORE ? 'pass' : 'fail'
    return { name, verdict, figure: `${before} before, ${after} after`, limit }
  }
  const both = <K extends Sample['kind']>(name: string, kind: K, read: (sample: Of<K>) => number | null) =>
    compare(`${name}, when everyone has left`, idle(kind, 'before', read), idle(kind, 'after', read))
  return [
    ...lived.flatMap(name => {
      const mine = (read: (sample: Of<'instance'>) => number) => (sample: Of<'instance'>) =>
        sample.instance === name ? read(sample) : null
      return [
        both(
          `${name}: descriptors`,
          'instance',
          mine(({ descriptors }) => descriptors),
        ),
        both(
          `${name}: handles`,
          'instance',
          mine(({ handles }) => handles),
        ),
      ]
    }),
    both('connections to PostgreSQL', 'database', ({ connections }) => connections),
  ]
}

function judgeBounds(counted: Sample[]): Judged[] {
  const database = of(counted, 'database')
  const bound = (name: string, read: (sample: Of<'database'>) => number, most: number): Judged => {
    const worst = Math.max(...database.map(read))
    const verdict = database.length === 0 ? 'inconclusive' : worst <= most ? 'pass' : 'fail'
    return { name, verdict, figure: `at most ${worst}`, limit: `at most ${most}` }
  }
  return [
    bound(
      'log rows of a channel before its last 15 busy minutes',
      ({ old_log_rows }) => old_log_rows,
      OLD_LOG_ROWS,
    ),
    bound('stored responses older than 25 h', ({ old_responses }) => old_responses, 0),
    bound('deliveries that wait for more than a minute', ({ late_deliveries }) => late_deliveries, 0),
  ]
}

const of = <K extends Sample['kind']>(samples: Sample[], kind: K): Of<K>[] =>
  samples.filter((sample): sample is Of<K> => sample.kind === kind)
