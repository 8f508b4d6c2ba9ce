// CPU time, memory and parents of processes, from /proc (Linux only).
import { readdirSync, readFileSync } from 'node:fs'

const ticksPerSecond = 100

type Stat = { pid: number; name: string; parent: number; cpu: number; children_cpu: number }

function readStat(pid: number): Stat | null {
  let text: string
  try {
    text = readFileSync(`/proc/${pid}/stat`, 'latin1')
  } catch {
    return null
  }
  const name = text.slice(text.indexOf('(') + 1, text.lastIndexOf(')'))
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ')
  const seconds = (at: number) => (Number(fields[at]) + Number(fields[at + 1])) / ticksPerSecond
  return { pid, name, parent: Number(fields[1]), cpu: seconds(11), children_cpu: seconds(13) }
}

function withDescendants(pid: number): Stat[] {
  const all = readdirSync('/proc')
    .filter(entry => /^\d+$/.test(entry))
    .flatMap(entry => readStat(Number(entry)) ?? [])
  const found = all.filter(stat => stat.pid === pid)
  for (const stat of found) found.push(...all.filter(({ parent }) => parent === stat.pid))
  return found
}

export function descendants(pid: number, name?: string): number[] {
  return withDescendants(pid)
    .filter(stat => stat.pid !== pid && (name === undefined || stat.name === name))
    .map(stat => stat.pid)
}

/** CPU seconds so far: of the process itself, and of the PostgreSQL under it. */
export function cpuOf(pid: number): { server: number; database: number } {
  const postgres = withDescendants(pid).filter(({ name }) => name === 'postgres')
  return {
    server: readStat(pid)?.cpu ?? 0,
    database: postgres.reduce((sum, { cpu, children_cpu }) => sum + cpu + children_cpu, 0),
  }
}

/** CPU seconds of everything that this benchmark runs, and of everything on the machine (stolen time too). */
export function cpuOfMachine(): { ours: number; all: number } {
  const tree = withDescendants(process.pid)
  const fields = readFileSync('/proc/stat', 'latin1')
    .split('\n', 1)[0]
    ?.trim()
    .split(/\s+/)
    .slice(1)
    .map(Number)
  const [user = 0, nice = 0, system = 0, , , , , steal = 0] = fields ?? []
  return {
    ours: tree.reduce((sum, { cpu, children_cpu }) => sum + cpu + children_cpu, 0),
    all: (user + nice + system + steal) / ticksPerSecond,
  }
}

/** Resident memory in MB. */
export function memoryOf(pid: number): number {
  const line = /VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'latin1'))
  return Number(line?.[1]) / 1024
}
