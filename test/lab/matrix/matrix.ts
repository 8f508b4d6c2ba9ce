// Many runs one after another: every combination of seed, instances, bus and PostgreSQL version. A red run doesn't end it.
import { findBinaries } from '../../../server/database/embedded-binaries.ts'
import type { Bus } from '../../proof/cluster/cluster.ts'
import { parseBus, parseVersion } from '../../proof/command.ts'
import { groupBy } from '../../proof/group.ts'
import { type Outcome, POSTGRES_14 } from '../../proof/outcome.ts'
import type { Size } from '../../proof/plan.ts'
import { isInstalled } from '../../support/programs.ts'

/** An estimate, until the first run has ended. */
const FIRST_MS = 90_000

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

/** What this machine lacks for some of the combinations. */
export async function lackingFor({ buses, versions }: Choices): Promise<string[]> {
  const lacking: string[] = []
  const has14 = await findBinaries(POSTGRES_14).catch(() => null)
  if (versions.includes(14) && !has14) lacking.push('PostgreSQL 14 comes from npm on x64 Linux only')
  if (buses.some(bus => bus !== 'postgres') && !isInstalled('redis-server'))
    lacking.push('redis-server is not installed')
  return lacking
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
