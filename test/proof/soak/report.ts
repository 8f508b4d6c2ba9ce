// The figures of a soak that have no limit: what was done, what it took, and what it left behind.
import type { Sample } from './samples.ts'

const TABLES_SHOWN = 8

const perSecond = (count: number, us: number) => (count / (us / 1e6)).toFixed(1)

export function figuresOf(samples: Sample[]): string[] {
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
