// A clock for texts that count down.
import { createEffect, createSignal, onCleanup } from 'solid-js'

const TICK_MS = 1_000

/** The time of `read` (ms), once a second while `isRunning`. */
export function createClock(isRunning: () => boolean, read: () => number = Date.now): () => number {
  const [now, setNow] = createSignal(read())
  createEffect(() => {
    if (!isRunning()) return
    const tick = () => setNow(read())
    tick()
    const timer = setInterval(tick, TICK_MS)
    onCleanup(() => clearInterval(timer))
  })
  return now
}
