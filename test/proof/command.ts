// What the commands that run plans share: their options, the plan that these choose, and how an outcome is printed.
import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import type { Bus } from './cluster/cluster.ts'
import { type Outcome, proveOnce } from './outcome.ts'
import { LONG, makePlan, type Plan, QUICK, type Size } from './plan.ts'

export const root = fileURLToPath(new URL('../..', import.meta.url))
const BUSES: readonly Bus[] = ['postgres', 'redis', 'cluster']

export const text = { type: 'string' } as const
export const flag = { type: 'boolean', default: false } as const
/** For `parseArgs`. */
export const PLAN_OPTIONS = {
  seed: { ...text, default: String(Date.now() % 100_000) },
  bus: text,
  instances: text,
  pg: text,
  channels: text,
  large: text,
  cards: text,
  posters: text,
  viewers: text,
  steps: text,
  faults: text,
  /** The size of a run of ten minutes. */
  long: flag,
  /** A file with a plan, instead of a seed. */
  plan: text,
  /** A folder with dist/, migrations/ and node_modules/. */
  build: { ...text, default: root },
} as const

/** As PLAN_OPTIONS are parsed. */
export type PlanValues = { seed: string; long: boolean; build: string } & {
  [name in Exclude<keyof typeof PLAN_OPTIONS, 'seed' | 'long' | 'build'>]?: string
}

export async function chosenPlan(values: PlanValues): Promise<Plan> {
  if (values.plan === undefined) return makePlan(Number(values.seed), sizeOf(values))
  // A seed's file has the plan beside its title and promise.
  const given = JSON.parse(await readFile(values.plan, 'utf8'))
  return given.plan ?? given
}

function sizeOf(values: PlanValues): Size {
  const defaults = values.long ? LONG : QUICK
  return {
    ...numbersOf(values, defaults),
    instances: Number(values.instances ?? defaults.instances),
    bus: parseBus(values.bus ?? defaults.bus),
    pg: parseVersion(values.pg ?? String(defaults.pg)),
  }
}

/** All of a size but instances, bus and version. */
export function numbersOf(values: PlanValues, defaults: Size) {
  const number = (name: 'channels' | 'large' | 'cards' | 'posters' | 'viewers' | 'steps' | 'faults') =>
    Number(values[name] ?? defaults[name])
  return {
    channels: number('channels'),
    large: number('large'),
    cards: number('cards'),
    posters: number('posters'),
    viewers: number('viewers'),
    steps: number('steps'),
    faults: number('faults'),
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

/** `command` repeats the run. `again`: only checks the files of an earlier one. */
type Run = { plan: Plan; folder: string; build: string; command: string; again?: boolean }

export async function proveAloud(run: Run): Promise<Outcome> {
  console.log(run.command)
  const say = (line: string) => console.log(`  ${line}`)
  const outcome = await proveOnce({ ...run, say })
  say(`commit ${outcome.commit}, ${outcome.seconds} s`)
  for (const { promise, message } of outcome.findings) console.log(`BROKEN ${promise}: ${message}`)
  for (const reason of outcome.missing) console.log(`INCONCLUSIVE: ${reason}`)
  const { verdict } = outcome
  console.log(verdict === 'holds' ? 'all promises hold' : `${verdict}: the files are in ${run.folder}`)
  return outcome
}
