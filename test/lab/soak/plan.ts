// How long a soak takes, what it does meanwhile, and how often it looks. Pure.
import { parseDuration } from '../duration.ts'

export type SoakPlan = {
  duration_ms: number
  /** Caches fill; what is sampled then does not count. */
  warm_up_ms: number
  /** False for runs under an hour: what grows then may be the caches, so nothing fails. */
  warmed_up: boolean
  sample_ms: number
  /** The last instance is killed or restarted, in turn. The others live throughout. */
  restart_ms: number
  /** A run of less than a day can't tell small slopes from noise. */
  limits_times: number
  load: SoakLoad
}

export type SoakLoad = {
  channels: number
  /** A second. */
  rates: { post: number; patch: number; interact: number; join: number }
  viewers: { bare: number; stock_3: number; stock_2: number }
  streams: number
}

const MINUTE_MS = 60_000
const WARM_UP_MS = 20 * MINUTE_MS
const DAY_MS = 24 * 60 * MINUTE_MS

const LOAD: SoakLoad = {
  channels: 200,
  rates: { post: 60, patch: 30, interact: 5, join: 2 },
  viewers: { bare: 800, stock_3: 150, stock_2: 50 },
  streams: 20,
}

/** `duration`: such as 20m, 2h or 24h. Runs under two hours sample more often, so that there are enough means. */
export function planSoak(duration: string): SoakPlan {
  const duration_ms = parseDuration(duration)
  return {
    duration_ms,
    warm_up_ms: Math.min(WARM_UP_MS, duration_ms / 3),
    warmed_up: duration_ms / 3 >= WARM_UP_MS,
    sample_ms: Math.min(5 * MINUTE_MS, duration_ms / 24),
    restart_ms: Math.min(10 * MINUTE_MS, duration_ms / 4),
    limits_times: duration_ms < DAY_MS ? 6 : 1,
    load: LOAD,
  }
}
