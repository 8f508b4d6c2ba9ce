// Closes all viewers' sockets when the server stops.
import { setTimeout as delay } from 'node:timers/promises'
import type { ViewerSocket } from './viewers.ts'

/** Stock clients reconnect without jitter: if all were closed at once, all would return at once. */
const WAVES = 10
const WAVE_MS = 100
const CLOSE_MS = 1_000

/** Resolves when every socket is closed. After CLOSE_MS, the rest are cut off. */
export async function closeInWaves(viewers: ViewerSocket[], code: number, reason: string): Promise<void> {
  const share = Math.ceil(viewers.length / WAVES)
  for (let from = 0; from < viewers.length; from += share) {
    for (const viewer of viewers.slice(from, from + share)) viewer.close(code, reason)
    if (from + share < viewers.length) await delay(WAVE_MS)
  }
  const deadline = performance.now() + CLOSE_MS
  while (performance.now() < deadline && viewers.some(({ state }) => state.kind !== 'closed')) await delay(10)
  for (const viewer of viewers) viewer.terminate()
}
