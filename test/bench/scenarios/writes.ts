// What scenarios of writes have in common: a warm-up, then figures per write.
import { percentile } from '../latencies.ts'
import type { Posted } from '../load/poster.ts'
import { measure } from '../measure.ts'
import type { Context, Sample } from '../scenario.ts'
import type { Running } from '../target.ts'

/** `send`: writes for so many seconds. */
export async function measureWrites(
  { pid }: Running,
  { quick }: Context,
  send: (seconds: number) => Promise<Posted>,
): Promise<Sample> {
  await send(quick ? 0.5 : 1.5)
  const { result, cost } = await measure(pid, () => send(quick ? 1 : 5))
  return {
    per_second: result.done / result.seconds,
    p50_ms: percentile(result.latencies, 0.5),
    p99_ms: percentile(result.latencies, 0.99),
    server_cpu_ms_each: (cost.server_cpu * 1000) / result.done,
    database_cpu_ms_each: (cost.database_cpu * 1000) / result.done,
    noise: cost.noise,
  }
}
