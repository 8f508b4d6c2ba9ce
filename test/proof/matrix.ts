// Many runs one after another: every combination of seed, instances, bus and PostgreSQL version. A red run doesn't end it.
import { execFileSync } from 'node:child_process'
import { findBinaries } from '../../server/database/embedded-binaries.ts'
import type { Bus } from './cluster/cluster.ts'
import { groupBy } from './group.ts'
import { type Outcome, POSTGRES_14 } from './outcome.ts'
import type { Size } from './plan.ts'

/** An estimate, until the first run has ended. */
const FIRST_MS = 90_000
const BUSES: readonly Bus[] = ['postgres', 'redis', 'cluster']

export type Choices = { seeds: number[]; instances: number[]; buses: Bus[]; versions: Size['pg'][] }
export type Combination = { seed: number } & Pick<Size, 'instances' | 'bus' | 'pg'>

/** Seeds change last, so that a matrix that stops early has tried every combination. */
export function combinationsOf({ seeds, instances, buses, versions }: Choices): Combination[] {
  return seeds.flatMap(seed =>
    versions.flatMap(pg => buses.flatMap(bus => instances.map(instances => ({ seed, instances, bus, pg })))),
  )
}

export type MatrixOptions = {
  prove(combination: Combination): Promise<Outcome>
  /** No run begins that would probably end later. */
  limit_ms?: number
  clock?: () => number
}

/** Returns what was run. */
export async function runMatrix(
  combinations: Combination[],
  { prove, limit_ms = Infinity, clock = () => performance.now() }: MatrixOptions,
): Promise<Outcome[]> {
  const began = clock()
  const outcomes: Outcome[] = []
  let longest = FIRST_MS
  for (const combination of combinations) {
    const start = clock()
    if (start - began + longest > limit_ms) break
    outcomes.push(await prove(combination))
    const took = clock() - start
    longest = outcomes.length === 1 ? took : Math.max(longest, took)
  }
  return outcomes
}

/** Reads `postgres,redis`, `1,2,3` and `14,18`. */
export function parseChoices(
  given: { bus: string; instances: string; pg: string },
  seeds: number[],
): Choices {
  const list = (text: string) => text.split(',').filter(part => part !== '')
  return {
    seeds,
    instances: list(given.instances).map(Number),
    buses: list(given.bus).map(parseBus),
    versions: list(given.pg).map(parseVersion),
  }
}

export function parseBus(name: string): Bus {
  const bus = BUSES.find(bus => bus === name)
  if (!bus) throw new Error(`--bus is one of ${BUSES.join(', ')}, not ${name}`)
  return bus
}

export function parseVersion(version: string): Size['pg'] {
  if (version === '14') return 14
  if (version === '18') return 18
  throw new Error(`--pg is 14 or 18, not ${version}`)
}

/** In milliseconds: `40m`, `2h` or `90s`. */
export function parseDuration(text: string): number {
  const [, count, unit = ''] = /^(\d+)([smh])$/.exec(text) ?? []
  const seconds = { s: 1, m: 60, h: 3600 }[unit]
  if (seconds === undefined) throw new Error(`--for is a duration such as 40m, not ${text}`)
  return Number(count) * seconds * 1000
}

/** What this machine lacks for some of the combinations. */
export async function lackingFor({ buses, versions }: Choices): Promise<string[]> {
  const lacking: string[] = []
  const has14 = await findBinaries(POSTGRES_14).catch(() => null)
  if (versions.includes(14) && !has14) lacking.push('PostgreSQL 14 comes from npm on x64 Linux only')
  if (buses.some(bus => bus !== 'postgres') && !isInstalled('redis-server'))
    lacking.push('redis-server is not installed')
  return lacking
}

export function isInstalled(program: string): boolean {
  try {
    execFileSync(program, ['--version'], { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
}

const COLUMNS = ['instances', 'bus', 'PostgreSQL', 'runs', 'hold', 'broken', 'inconclusive', 'failed']

/** A row for each combination of instances, bus and version. */
export function tableOf(outcomes: Outcome[]): string {
  const groups = groupBy(outcomes, ({ size: { instances, bus, pg } }) => `${instances}|${bus}|${pg}`)
  const rows = [...groups].map(([name, runs]) => {
    const count = (verdict: Outcome['verdict']) => runs.filter(run => run.verdict === verdict).length
    const counts = [runs.length, count('holds'), count('broken'), count('inconclusive'), count('failed')]
    return [...name.split('|'), ...counts.map(String)]
  })
  const table = [COLUMNS, ...rows]
  const widths = COLUMNS.map((_, column) => Math.max(...table.map(row => row[column]?.length ?? 0)))
  return table.map(row => row.map((cell, i) => cell.padEnd(widths[i] ?? 0)).join('  ')).join('\n')
}
