// A soak's verdicts, from made-up samples.
import { expect, test } from 'vitest'
import { judgeSoak } from './judge-soak.ts'
import { planSoak } from './plan.ts'
import type { Sample } from './samples.ts'

const PLAN = planSoak('24h')
const MINUTE_US = 60e6
const LATENCY = { count: 1, p50: 1, p99: 20, worst: 30 }
const IDLE = { pid: 1, heap: 60e6, rss: 200e6, external: 1e6, handles: 40, descriptors: 60, cpu_us: 0 }

/** What varies: an instance's state, `hours` after the load began. */
type Course = (hours: number, instance: string) => Partial<typeof IDLE>

/** A day of samples every five minutes, between an idle minute before and after. */
function soak(course: Course, after: Partial<typeof IDLE> = {}): Sample[] {
  const look = (at: number, moment: Sample['moment'], state: Course): Sample[] => [
    ...['instance-0', 'instance-1'].map(
      (instance): Sample => ({
        at,
        moment,
        kind: 'instance',
        instance,
        ...IDLE,
        ...state(at / 60 / MINUTE_US, instance),
      }),
    ),
    {
      at,
      moment,
      kind: 'database',
      connections: 20,
      old_log_rows: 10,
      old_responses: 0,
      late_deliveries: 0,
      tables: [],
    },
    { at, moment, kind: 'clients', post: LATENCY, seen: LATENCY, connected: 800, failed: 0, done: NOTHING },
  ]
  const times = Array.from({ length: 24 * 12 }, (_, i) => (i + 1) * 5 * MINUTE_US)
  return [
    ...look(0, 'before', () => ({})),
    ...times.flatMap(at => look(at, 'load', course)),
    ...look(24 * 61 * MINUTE_US, 'after', () => after),
  ]
}
const NOTHING = { post: 0, patch: 0, interact: 0 }

const failed = (samples: Sample[]) =>
  judgeSoak(samples, PLAN)
    .filter(({ verdict }) => verdict !== 'pass')
    .map(({ name, verdict }) => `${verdict}: ${name}`)

test('a day in which nothing grows passes', () => {
  expect(failed(soak(() => ({})))).toEqual([])
})

test('one descriptor that is lost every hour fails', () => {
  const leak = soak((hours, name) => (name === 'instance-1' ? { descriptors: 60 + Math.floor(hours) } : {}))
  expect(failed(leak)).toEqual(['fail: instance-1: descriptors'])
})

test('memory that fills up while the run warms up passes', () => {
  expect(failed(soak(hours => ({ heap: 2e9 - Math.max(0, 0.4 - hours) * 5e9 })))).toEqual([])
})

test('handles that stay when everyone has left fail', () => {
  expect(failed(soak(() => ({}), { handles: 44 }))).toEqual([
    'fail: instance-0: handles, when everyone has left',
    'fail: instance-1: handles, when everyone has left',
  ])
})

test('an instance that was restarted tells nothing', () => {
  const restarted = soak((hours, name) =>
    name === 'instance-1' ? { pid: hours < 12 ? 1 : 2, heap: hours * 1e9 } : {},
  )
  expect(failed(restarted)).toEqual([])
})

test('a run under an hour never fails for what grows, because caches may still fill', () => {
  const leak = soak(hours => ({ heap: 60e6 + hours * 1e9 }))
  const verdicts = judgeSoak(leak, { ...PLAN, warmed_up: planSoak('20m').warmed_up }).map(
    ({ verdict }) => verdict,
  )
  expect(verdicts).toContain('inconclusive')
  expect(verdicts).not.toContain('fail')
})

test('the limits of a run under a day are six times as wide', () => {
  expect(planSoak('2h').limits_times).toBe(6)
  expect(planSoak('24h')).toMatchObject({ limits_times: 1, warm_up_ms: 20 * 60_000, sample_ms: 5 * 60_000 })
  expect(() => planSoak('2 days')).toThrow('2 days')
})
