// What a soak has found, from its files. The figures without a limit: what was done, what it took, and what it left behind.
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { sha256 } from '../../proof/outcome.ts'
import { readJsonLines } from '../../proof/records.ts'
import { type Judged, judgeSoak } from './judge-soak.ts'
import { planSoak } from './plan.ts'
import type { Sample } from './samples.ts'

/** Files in a soak's folder. */
export const ABOUT = 'about.json'
export const SAMPLES = 'samples.jsonl'

export type About = { duration: string; at: string; commit: string; machine: string }
/** `sha256`: of the samples. */
export type SoakResult = { about: About; judged: Judged[]; figures: string[]; sha256: string }

const TABLES_SHOWN = 8

const perSecond = (count: number, us: number) => (count / (us / 1e6)).toFixed(1)

/** Judges what an earlier soak sampled. */
export async function readSoak(folder: string): Promise<SoakResult> {
  const about: About = JSON.parse(await readFile(join(folder, ABOUT), 'utf8'))
  const samples = await readJsonLines<Sample>(join(folder, SAMPLES))
  return {
    about,
    judged: judgeSoak(samples, planSoak(about.duration)),
    figures: figuresOf(samples),
    sha256: sha256(await readFile(join(folder, SAMPLES))),
  }
}

function figuresOf(samples: Sample[]): string[] {
  const load = samples.filter(({ moment }) => moment === 'load')
  const clients = load.filter(sample => sample.kind === 'clients')
  const [first, last] = [load.at(0)?.at ?? 0, load.at(-1)?.at ?? 0]
  const total = (read: (sample: (typeof clients)[number]) => number) =>
    clients.slice(1).reduce((sum, sample) => sum + read(sample), 0)
  const restarts = load.filter(({ kind }) => kind === 'restart').length
  const rates = [
    `${perSecond(
      total(({ done }) => done.post),
      last - first,
    )} cards`,
    `${perSecond(
      total(({ done }) => done.patch),
      last - first,
    )} patches`,
    `${perSecond(
      total(({ done }) => done.interact),
      last - first,
    )} interactions a second`,
  ]
  const worst = (which: 'post' | 'seen') => Math.max(0, ...clients.map(sample => sample[which].worst))
  return [
    `${rates.join(', ')}; ${total(({ failed }) => failed)} requests failed; ${restarts} kills and restarts`,
    `worst POST ${worst('post')} ms, worst POST to viewer ${worst('seen')} ms (4,000 means more)`,
    ...cpuLines(load),
    ...tableLines(samples),
  ]
}

/** Of instances that lived from the first sample to the last. */
function cpuLines(load: Sample[]): string[] {
  const instances = load.filter(sample => sample.kind === 'instance')
  return [...new Set(instances.map(({ instance }) => instance))].flatMap(name => {
    const mine = instances.filter(({ instance }) => instance === name)
    const [first, last] = [mine.at(0), mine.at(-1)]
    if (!first || !last || first.pid !== last.pid || first === last) return []
    const share = (last.cpu_us - first.cpu_us) / (last.at - first.at)
    return [`${name}: ${(share * 100).toFixed(1)} % of a core`]
  })
}

/** What may grow: the bytes that each card, interaction and delivery leaves. */
function tableLines(samples: Sample[]): string[] {
  const tables = samples.filter(sample => sample.kind === 'database').at(-1)?.tables ?? []
  return tables
    .slice(0, TABLES_SHOWN)
    .map(
      ({ name, rows, bytes }) =>
        `${name}: ${rows} rows, ${(bytes / 1e6).toFixed(1)} MB, ${Math.round(bytes / Math.max(1, rows))} bytes a row`,
    )
}
