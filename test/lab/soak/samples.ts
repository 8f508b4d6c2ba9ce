// What a soak looks at: each instance, the database, and what clients measured since the last look.
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Sql } from '../../../server/database/connect.ts'
import { percentile } from '../../bench/latencies.ts'
import type { Instance } from '../../proof/cluster/instance.ts'
import { now } from '../../proof/records.ts'
import { holdsWithin } from '../../proof/wait.ts'
import { cpuOf, descriptorsOf } from '../measured/cpu.ts'
import type { Posted } from './posters.ts'

/** In milliseconds. */
export type Latency = { count: number; p50: number; p99: number; worst: number }

/** A line of samples.jsonl. `moment`: before anyone came, under load, or a minute after everyone left. */
export type Sample = { at: number; moment: 'before' | 'load' | 'after' } & (
  | ({ kind: 'instance'; instance: string; pid: number; descriptors: number; cpu_us: number } & Probed)
  | ({ kind: 'database' } & DatabaseSample)
  | { kind: 'clients'; post: Latency; seen: Latency; connected: number; failed: number; done: Posted['done'] }
  | { kind: 'restart'; instance: string; how: 'SIGKILL' | 'SIGTERM' }
)

/** Bytes and a number, after a collection. */
type Probed = { heap: number; rss: number; external: number; handles: number }

type DatabaseSample = {
  connections: number
  /** The most log rows of a channel that are older than its last 15 busy minutes. */
  old_log_rows: number
  /** Stored responses older than 25 hours. */
  old_responses: number
  /** Deliveries that have waited for more than a minute. */
  late_deliveries: number
  tables: { name: string; rows: number; bytes: number }[]
}

const PROBE_MS = 30_000
const probeFile = (folder: string, name: string) => join(folder, `probe-${name}.jsonl`)

/** Of an instance that carries the probe. */
export const probeEnvironment = (folder: string, name: string): NodeJS.ProcessEnv => ({
  NODE_OPTIONS: `--import=${new URL('probe.mjs', import.meta.url).href}`,
  PROBE_FILE: probeFile(folder, name),
})

/** Null if the instance is down or restarts. */
export async function sampleInstance(
  folder: string,
  { name, process }: Instance,
): Promise<Omit<Extract<Sample, { kind: 'instance' }>, 'moment'> | null> {
  const file = probeFile(folder, name)
  const { pid, signal } = process()
  const before = (await readLines(file)).length
  if (!signal('SIGUSR2')) return null
  let lines: string[] = []
  const probed = await holdsWithin(PROBE_MS, async () => {
    lines = await readLines(file)
    return lines.length > before || !process().alive()
  })
  const last = lines.at(-1)
  if (!probed || lines.length <= before || last === undefined) return null
  const state: Probed = JSON.parse(last)
  const [descriptors, cpu_us] = [descriptorsOf(pid), cpuOf(pid)]
  return { at: now(), kind: 'instance', instance: name, pid, descriptors, cpu_us, ...state }
}

async function readLines(path: string): Promise<string[]> {
  const text = await readFile(path, 'utf8').catch(() => '')
  return text.split('\n').slice(0, -1)
}

export async function sampleDatabase(sql: Sql): Promise<DatabaseSample> {
  const [row] = await sql<Omit<DatabaseSample, 'tables'>[]>`
    with minutes as (
      select channel_id, count(*) as turns,
        row_number() over (partition by channel_id order by date_trunc('minute', created_at) desc) as place
      from document_updates group by channel_id, date_trunc('minute', created_at)
    ), old as (select sum(turns) as turns from minutes where place > 15 group by channel_id)
    select
      -- Without our own.
      (select count(*)::integer from pg_stat_activity
        where datname = current_database() and backend_type = 'client backend' and pid <> pg_backend_pid()) as connections,
      (select coalesce(max(turns), 0)::integer from old) as old_log_rows,
      (select count(*)::integer from idempotency_keys where created_at < now() - interval '25 hours') as old_responses,
      (select count(*)::integer from webhook_deliveries
        where status = 'pending' and created_at < now() - interval '1 minute') as late_deliveries`
  const tables = await sql<DatabaseSample['tables']>`
    select relname as name, n_live_tup as rows, pg_total_relation_size(relid) as bytes
    from pg_stat_user_tables where n_live_tup > 0 order by bytes desc`
  if (!row) throw new TypeError('a query without from returns a row')
  return { ...row, tables }
}

export function latencyOf(entries: [number, number][]): Latency {
  const count = entries.reduce((sum, [, times]) => sum + times, 0)
  const at = (share: number) => (count === 0 ? 0 : percentile(entries, share))
  return { count, p50: at(0.5), p99: at(0.99), worst: at(1) }
}
