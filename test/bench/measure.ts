// Measures the CPU time of a server, its database and other processes while something runs.
import { setTimeout as delay } from 'node:timers/promises'
import { cpuOf, cpuOfMachine } from './processes.ts'

export type Cost = {
  seconds: number
  /** CPU seconds of the server process, and of the PostgreSQL under it. */
  server_cpu: number
  database_cpu: number
  /** Share of a core that processes outside this benchmark took. */
  noise: number
}

export async function measure<T>(pid: number, run: () => Promise<T>): Promise<{ result: T; cost: Cost }> {
  const machine = cpuOfMachine()
  const cpu = cpuOf(pid)
  const begin = performance.now()
  const result = await run()
  const seconds = (performance.now() - begin) / 1000
  const cpuAfter = cpuOf(pid)
  const machineAfter = cpuOfMachine()
  const foreign = machineAfter.all - machine.all - (machineAfter.ours - machine.ours)
  return {
    result,
    cost: {
      seconds,
      server_cpu: cpuAfter.server - cpu.server,
      database_cpu: cpuAfter.database - cpu.database,
      noise: Math.max(0, foreign / seconds),
    },
  }
}

/** Waits for a second without other load, at most `patience` seconds. */
export async function untilQuiet(patience: number): Promise<void> {
  for (let waited = 0; waited < patience; waited++) {
    const { cost } = await measure(process.pid, () => delay(1_000))
    if (cost.noise < 0.2) return
  }
}

export function median(values: number[]): number {
  const sorted = values.filter(value => !Number.isNaN(value)).sort((a, b) => a - b)
  const middle = Math.floor(sorted.length / 2)
  const [low, high] = [sorted[Math.ceil(sorted.length / 2) - 1], sorted[middle]]
  return low === undefined || high === undefined ? Number.NaN : (low + high) / 2
}
