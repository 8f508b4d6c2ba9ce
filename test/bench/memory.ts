// Memory of a server after a forced collection.
import { setTimeout as delay } from 'node:timers/promises'
import { memoryOf } from './processes.ts'
import type { Running } from './target.ts'

/** In MB. */
export async function settledMemory(running: Running): Promise<{ resident: number; heap: number }> {
  const readings: number[] = []
  let heap = 0
  while (readings.length < 3) {
    await delay(1_000)
    heap = await running.heapAfterCollection()
    readings.push(memoryOf(running.pid))
  }
  return { resident: Math.min(...readings), heap }
}
