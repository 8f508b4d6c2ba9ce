// CPU time and descriptors of processes, from /proc (Linux only).
import { readdirSync, readFileSync } from 'node:fs'
import { descendants } from '../../bench/processes.ts'

const NS_PER_TICK = 10_000_000

/** Microseconds on a CPU so far: of a process with all its threads, of the processes below it, and of those that ended. */
export function cpuOf(pid: number): number {
  const running = [pid, ...descendants(pid)].reduce((sum, pid) => sum + ofThreads(pid), 0)
  return (running + ofEnded(pid)) / 1_000
}

/** In nanoseconds. `schedstat` counts each; `stat` counts in steps of 10 ms, too coarse for a run of seconds. */
function ofThreads(pid: number): number {
  return list(`/proc/${pid}/task`).reduce((sum, thread) => {
    const [running] = read(`/proc/${pid}/task/${thread}/schedstat`).split(' ')
    return sum + Number(running)
  }, 0)
}

/** In nanoseconds: of children that ended, such as backends. */
function ofEnded(pid: number): number {
  const fields = read(`/proc/${pid}/stat`).split(') ').at(-1)?.split(' ') ?? []
  return (Number(fields[13] ?? 0) + Number(fields[14] ?? 0)) * NS_PER_TICK
}

export const descriptorsOf = (pid: number): number => list(`/proc/${pid}/fd`).length

/** Empty if the process has ended. */
function list(folder: string): string[] {
  try {
    return readdirSync(folder)
  } catch {
    return []
  }
}

function read(path: string): string {
  try {
    return readFileSync(path, 'latin1')
  } catch {
    return ''
  }
}
