// What instances, PostgreSQL and Redis have done so far. Two readings give what a load took.
import { z } from 'zod'
import { cpuOf } from '../measured/cpu.ts'
import type { Measured } from '../measured/measured.ts'

/** CPU in microseconds; the instances' in their order. */
export type Counters = {
  cpu: { instances: number[]; postgres: number; redis: number }
  turns: { committed: number; lost: number }
  /** Turns of other instances that were sent to viewers. */
  followed: number
  queries: number
  wal_bytes: number
  /** Published by all instances. */
  messages: number
}

export async function readCounters(measured: Measured): Promise<Counters> {
  const { sql, redis, instances } = measured
  const texts = await Promise.all(
    instances.map(async instance => (await fetch(`${instance.direct_url()}/metrics`)).text()),
  )
  const total = (series: RegExp) => texts.reduce((sum, text) => sum + readSeries(text, series), 0)
  const [row] = await sql<{ queries: number; notices: number; wal_bytes: number }[]>`
    select coalesce(sum(calls), 0)::bigint as queries,
      coalesce(sum(calls) filter (where query ilike '%pg_notify%'), 0)::bigint as notices,
      (pg_current_wal_lsn() - '0/0')::bigint as wal_bytes
    from pg_stat_statements where query not ilike '%pg_stat_statements%'`
  const counted = z.object({ queries: z.number(), notices: z.number(), wal_bytes: z.number() }).parse(row)
  const published = redis ? publishedBy(await redis.client.info('commandstats')) : null
  return {
    turns: {
      committed: total(/^channel_feed_turns_total\{verdict="committed"\} (\d+)$/m),
      lost: total(/^channel_feed_turns_total\{verdict="lost"\} (\d+)$/m),
    },
    followed:
      total(/^channel_feed_followed_turns_total\{source="bus"\} (\d+)$/m) +
      total(/^channel_feed_followed_turns_total\{source="log"\} (\d+)$/m),
    queries: counted.queries,
    wal_bytes: counted.wal_bytes,
    messages: published ?? counted.notices,
    cpu: readCpu(measured),
  }
}

export const readCpu = ({ instances, postgres, redis }: Measured): Counters['cpu'] => ({
  instances: instances.map(instance => cpuOf(instance.process().pid)),
  postgres: cpuOf(postgres.primary.process().pid),
  redis: redis ? cpuOf(redis.process().pid) : 0,
})

const readSeries = (text: string, series: RegExp): number => Number(series.exec(text)?.[1] ?? 0)

function publishedBy(info: string): number {
  const calls = [...info.matchAll(/^cmdstat_s?publish:calls=(\d+)/gm)]
  return calls.reduce((sum, [, count]) => sum + Number(count), 0)
}
