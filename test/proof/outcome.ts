// Does one run, checks it, and sums it up.
import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { cpus, release, totalmem, type } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { check } from './check/check.ts'
import { type Finding, readFiles } from './check/files.ts'
import { type Convergence, type Felt, feltOf } from './felt.ts'
import type { Figures } from './figures.ts'
import { FIGURES } from './load/scene.ts'
import type { Plan, Size } from './plan.ts'
import { type RunOptions, run } from './run.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))
/** The npm package of PostgreSQL 14. */
export const POSTGRES_14 = 'postgres-14-linux-x64'
const default_package = process.env.TEST_POSTGRES_PACKAGE
export const RESULTS = join(root, 'test-results/proof')

/** `failed`: the run itself didn't end, or couldn't be checked. */
export type Verdict = 'holds' | 'broken' | 'inconclusive' | 'failed'

export type Outcome = {
  at: string
  seed: number
  size: Size
  liveness: boolean
  command: string
  commit: string
  machine: string
  verdict: Verdict
  findings: Finding[]
  missing: string[]
  felt: Felt[]
  operations: number
  unknown: number
  turns: number
  seconds: number
  /** Null if the run failed. */
  figures: Figures | null
  convergence: Convergence | null
  /** Of the run's files: `sha256sum *.json *.jsonl | sha256sum`. */
  sha256: string
}

/** `command` repeats the run. `again`: only checks the files of an earlier one. */
export type ProveOptions = Omit<RunOptions, 'previous'> & { command: string; again?: boolean }

export async function proveOnce({ command, again, ...options }: ProveOptions): Promise<Outcome> {
  const { plan, folder, say } = options
  const began = performance.now()
  const { seed } = plan
  const known = {
    at: new Date().toISOString(),
    seed,
    size: sizeOf(plan),
    liveness: plan.liveness !== undefined,
    command,
    commit: commitOf(),
    machine: machineOf(),
  }
  const seconds = () => Math.round((performance.now() - began) / 1000)
  try {
    choosePostgres(plan.pg)
    if (!again) await run(options)
    const { findings, missing, counts } = await check(folder)
    const files = await readFiles(folder)
    const figures: Figures = JSON.parse(await readFile(join(folder, FIGURES), 'utf8'))
    for (const [name, count] of Object.entries(counts)) say?.(`${name}: ${count}`)
    return {
      ...known,
      verdict: findings.length > 0 ? 'broken' : missing.length > 0 ? 'inconclusive' : 'holds',
      findings,
      missing,
      ...feltOf(files),
      operations: counts.requests ?? 0,
      unknown: counts['unknown answers'] ?? 0,
      turns: counts.turns ?? 0,
      seconds: seconds(),
      figures,
      sha256: await hashOf(folder),
    }
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error)
    return {
      ...known,
      verdict: 'failed',
      findings: [{ promise: 'run', message }],
      missing: [],
      felt: [],
      operations: 0,
      unknown: 0,
      turns: 0,
      seconds: seconds(),
      figures: null,
      convergence: null,
      sha256: await hashOf(folder),
    }
  }
}

/** 0: the promises hold, 1: one is broken or a run failed, 2: inconclusive, or nothing ran. */
export function exitCodeOf(outcomes: Pick<Outcome, 'verdict'>[]): 0 | 1 | 2 {
  if (outcomes.length === 0) return 2
  if (outcomes.some(({ verdict }) => verdict === 'broken' || verdict === 'failed')) return 1
  return outcomes.some(({ verdict }) => verdict === 'inconclusive') ? 2 : 0
}

/** The options that make a plan of this size. */
export const optionsOf = (plan: Plan): string =>
  Object.entries(sizeOf(plan))
    .map(([name, value]) => `--${name} ${value}`)
    .join(' ')

function sizeOf(plan: Plan): Size {
  const { instances, bus, channels, large, cards, posters, viewers, steps, faults, pg } = plan
  return { instances, bus, channels, large, cards, posters, viewers, steps, faults, pg }
}

/** As `.ci/run` does. */
function choosePostgres(pg: Size['pg']): void {
  const chosen = pg === 14 ? POSTGRES_14 : default_package
  if (chosen === undefined) delete process.env.TEST_POSTGRES_PACKAGE
  else process.env.TEST_POSTGRES_PACKAGE = chosen
}

/** The present one, with `-dirty` if files have changed. */
export function commitOf(): string {
  return execFileSync('git', ['describe', '--always', '--dirty'], { cwd: root, encoding: 'utf8' }).trim()
}

export function machineOf(): string {
  const [cpu] = cpus()
  return `${cpus().length} cores (${cpu?.model.trim()}), ${Math.round(totalmem() / 2 ** 30)} GB, ${type()} ${release()}`
}

async function hashOf(folder: string): Promise<string> {
  const names = await readdir(folder).catch(() => [])
  const files = ['.json', '.jsonl'].flatMap(end => names.filter(name => name.endsWith(end)).sort())
  const lines = await Promise.all(
    files.map(async name => `${sha256(await readFile(join(folder, name)))}  ${name}\n`),
  )
  return sha256(lines.join(''))
}

export const sha256 = (content: string | Buffer): string => createHash('sha256').update(content).digest('hex')
