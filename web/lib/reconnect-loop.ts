// Keeps one connection to the server open: opens it, waits longer after each failure, and reports its state.
import { ChannelFeedError } from '../../client/errors.ts'
import { CLOSE_DELETED } from '../../shared/close-codes.ts'
import { afterClose, delayFor, type Link, type Refusal, refusalOf } from './reconnect.ts'

/** A lost connection may be a server restart. After this time the page says offline. */
const GIVE_UP_MS = 4_000

export type ReconnectTarget = {
  /** Opens the connection. A rejection is a failed attempt. `signal` aborts when another attempt replaces this one. */
  connect: (signal: AbortSignal) => Promise<void>
  disconnect: () => void
  /** Whether the connection works. Asked when the page becomes visible: its timers and socket may have died. */
  isHealthy: () => boolean
  onLink: (link: Exclude<Link, { state: 'refused' }>) => void
  /** The loop has ended. `deleted`: the server closed the socket because of a deletion. */
  onRefused: (refusal: Refusal, deleted: boolean) => void
  /** The loop has ended because the server lost history. Without this callback the loop just reconnects. */
  onLostHistory?: (failures: number) => void
}

/** Starts at once. `failures` counts the failures in a row before this loop. */
export function makeReconnectLoop(target: ReconnectTarget, failures = 0) {
  const listening = new AbortController()
  const { signal } = listening
  let attempt: AbortController | undefined
  let isLive = false
  let wasLive = false
  let lostAt = 0
  let timer: ReturnType<typeof setTimeout> | undefined

  // The server may run on this machine, so even `offline` is a reason to try.
  window.addEventListener('offline', reconnect, { signal })
  window.addEventListener('online', reconnect, { signal })
  // A page that comes back from the browser's history. The first `pageshow` belongs to the load.
  window.addEventListener('pageshow', ({ persisted }) => persisted && check(), { signal })
  document.addEventListener('visibilitychange', check, { signal })
  reconnect()
  return { live, lost, closed, reconnect, stop }

  /** The server has sent everything: the page is current. */
  function live(): void {
    failures = 0
    isLive = wasLive = true
    target.onLink({ state: 'live' })
  }

  /** The connection is gone. Its close code may follow. */
  function lost(): void {
    if (isLive) lostAt = Date.now()
    isLive = false
    const givenUp = wasLive ? Date.now() - lostAt > GIVE_UP_MS : failures > 0
    if (!navigator.onLine || givenUp) target.onLink({ state: 'offline' })
    else target.onLink({ state: wasLive ? 'reconnecting' : 'connecting' })
  }

  function closed(code: number): void {
    const after = afterClose(code, failures++, Math.random())
    if (after.next === 'refused') return refuse(after.refusal, code === CLOSE_DELETED)
    if (after.next === 'start-over' && target.onLostHistory) {
      stop()
      setTimeout(target.onLostHistory, after.delay_ms, failures)
      return
    }
    reconnectIn(after.delay_ms)
  }

  async function reconnect(): Promise<void> {
    closeAttempt()
    const current = new AbortController()
    attempt = current
    lost()
    try {
      await target.connect(current.signal)
    } catch (error) {
      if (current.signal.aborted) return
      const refusal = error instanceof ChannelFeedError ? refusalOf(error.status, error.message) : null
      if (refusal) refuse(refusal, false)
      else reconnectIn(delayFor(failures++, Math.random()))
    }
  }

  function reconnectIn(delay: number): void {
    lost()
    clearTimeout(timer)
    timer = setTimeout(reconnect, delay)
  }

  function check(): void {
    if (document.visibilityState === 'visible' && !target.isHealthy()) reconnect()
  }

  function refuse(refusal: Refusal, deleted: boolean): void {
    stop()
    target.onRefused(refusal, deleted)
  }

  function closeAttempt(): void {
    clearTimeout(timer)
    attempt?.abort()
    target.disconnect()
  }

  function stop(): void {
    listening.abort()
    closeAttempt()
  }
}
