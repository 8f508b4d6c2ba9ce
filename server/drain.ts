// Sends everyone to other instances before this one stops.
import { setTimeout as delay } from 'node:timers/promises'

/** Balancers read /readyz within this time. A viewer that is closed earlier could return here, and would leave twice. */
const NOTICE_MS = 2_000

/** Calls each function at a random time within `ms`, and again at the end. `early` ends it without calling the rest. */
export async function drain(closes: (() => void)[], ms: number, early: AbortSignal): Promise<void> {
  const notice = Math.min(NOTICE_MS, ms / 2)
  const timers = closes.map(close => setTimeout(close, notice + Math.random() * (ms - notice)))
  await delay(ms, undefined, { signal: early }).catch(() => {})
  for (const timer of timers) clearTimeout(timer)
  if (early.aborted) return
  // Of timers that are overdue after a pause of the process, Node may run the last one first.
  for (const close of closes) close()
}
