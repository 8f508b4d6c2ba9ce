// When a failed request is sent again, and how long to wait before.
import { ChannelFeedError, ConnectionError } from './errors.ts'

const FIRST_MS = 500
const PAUSE_MAX_MS = 8_000
/** A longer `Retry-After` is a limit of the day, and nobody wants to wait for it. */
const RETRY_AFTER_MAX_S = 60

const PASSING = new Set([408, 425, 429, 500, 502, 503, 504])
/** The service refused the request before it did anything. */
const UNTOUCHED = new Set([425, 429])

/** Whether the same request may succeed later. */
export function isPassing(error: unknown): error is ChannelFeedError {
  if (error instanceof ConnectionError) return true
  if (!(error instanceof ChannelFeedError)) return false
  return PASSING.has(error.status ?? 0) || error.code === 'idempotency_key_in_use'
}

/** 0.5, 1, 2 … s, at most `max_ms`, each half as long or half as long again. `failures`: before this one. */
export function backoff(failures: number, max_ms = PAUSE_MAX_MS): number {
  return Math.min(max_ms, FIRST_MS * 2 ** failures) * (0.5 + Math.random())
}

/** Resolves after `ms`. Rejects with the signal's reason if it is aborted. */
export function pause(ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    signal?.throwIfAborted()
    const stop = () => {
      clearTimeout(timer)
      reject(signal?.reason)
    }
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', stop)
      resolve()
    }, ms)
    signal?.addEventListener('abort', stop, { once: true })
  })
}

/** `repeatable`: the request takes effect once, however often it is sent. */
type RetryOptions = { retries: number; repeatable: boolean; signal?: AbortSignal }

/** Calls `attempt` until it succeeds, fails for good, or has failed `retries` times more. `earlier`: attempts so far. */
export async function withRetries<T>(
  attempt: (earlier: number) => Promise<T>,
  { retries, repeatable, signal }: RetryOptions,
): Promise<T> {
  for (let earlier = 0; ; earlier++) {
    try {
      return await attempt(earlier)
    } catch (error) {
      if (earlier >= retries || !isPassing(error)) throw error
      const { status, retry_after } = error
      if (!repeatable && !UNTOUCHED.has(status ?? 0)) throw error
      if (retry_after !== undefined && retry_after > RETRY_AFTER_MAX_S) throw error
      await pause(retry_after === undefined ? backoff(earlier) : retry_after * 1_000, signal)
    }
  }
}
