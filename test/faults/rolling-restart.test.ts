// A rolling restart with the deploy kit. `VIEWERS=500 npx vitest run --project=faults test/faults/rolling-restart.test.ts`
// runs it with more viewers and prints figures. ROLL_FROM names the entry of the release that is replaced.
import { expect, test } from 'vitest'
import { startBalancer } from '../support/balancer.ts'
import { hasCaddy, startCaddy } from '../support/caddy.ts'
import { roll } from './roll.ts'

const viewers = Number(process.env.VIEWERS ?? 60)
const from = process.env.ROLL_FROM || undefined
const figures = process.env.VIEWERS !== undefined || from !== undefined
const drain_s = Number(process.env.DRAIN ?? 0)

type Rolled = Awaited<ReturnType<typeof roll>>

test('P16: in a rolling restart no request fails, and no viewer reconnects more than once per instance', async () => {
  report(await roll({ startBalancer, drain_s: drain_s || 2, viewers, from }))
})

// Caddy checks /readyz once a second.
test.skipIf(!hasCaddy || from)('P16: a rolling restart behind the kit’s Caddyfile', async () => {
  report(await roll({ startBalancer: startCaddy, drain_s: drain_s || 4, viewers }))
})

function report({ load, codes, absences, began, ended, endings }: Rolled): void {
  expect(absences.length).toBeGreaterThan(0)
  if (!figures) return
  const inRoll = ({ at }: { at: number }) => at > began && at < ended
  const p99 = (of: { ms: number }[]) =>
    percentile(
      of.map(({ ms }) => ms),
      0.99,
    )
  const returns = absences.map(({ back_at }) => back_at)
  const crowd = Math.max(
    ...returns.map(at => returns.filter(other => other >= at && other < at + 100).length),
  )
  console.log({
    seconds: (ended - began) / 1000,
    requests: Object.fromEntries(load.met),
    p99_calm_ms: p99(load.timings.filter(timing => !inRoll(timing))),
    p99_roll_ms: p99(load.timings.filter(inRoll)),
    slowest_request_ms: Math.max(...load.timings.map(({ ms }) => ms)),
    reconnects: codes.length,
    median_gap_ms: percentile(
      absences.map(({ ms }) => ms),
      0.5,
    ),
    longest_gap_ms: Math.max(...absences.map(({ ms }) => ms)),
    most_returns_in_100_ms: `${((100 * crowd) / viewers).toFixed(1)} % of viewers`,
    stream_endings: endings,
  })
}

function percentile(values: number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.floor(share * (sorted.length - 1))] ?? 0
}
