// Keeps one connection to the server open: opens it, waits longer after each failure, and reports its state.
import { ChannelFeedError } from '../../client/errors.ts'
import { CLOSE_DELETED } from '../../shared/close-codes.ts'
import { accessRefusal, afterClose, delayFor, type Link, openWithin, type Refusal } from './reconnect.ts'

/** A lost connection may be a server restart. After this time the page says offline. */
const GIVE_UP_MS = 4_000
/** One failure may be a server that stops. */
const BLOCKED_AFTER = 2
/** A page whose socket doesn't open reads over HTTP, and not more often than this. */
export const READ_PAUSE_MS = 5_000

/** The browser's own code for a socket that didn't open. */
const CLOSE_NOT_OPENED = 1006

export type ReconnectTarget = {
  /**
   * Asks over HTTP, then opens the socket. A rejection is a failed attempt. `signal` aborts when another attempt replaces this
   * one. `mustRead`: the last socket didn't open, so read over HTTP what it would have sent.
   */
  connect: (signal: AbortSignal, mustRead: boolean) => Promise<void>
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
  const state = makeLinkState()
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
    clearTimeout(timer)
    failures = 0
    state.live()
    target.onLink({ state: 'live' })
  }

  /** The connection is gone. Its close code may follow. */
  function lost(): void {
    target.onLink(state.lost(failures))
  }

  function closed(code: number): void {
    state.closed()
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
    state.begin()
    const current = new AbortController()
    attempt = current
    lost()
    try {
      await target.connect(current.signal, state.mustRead() && document.visibilityState === 'visible')
      if (current.signal.aborted || state.hasOpened()) return
      state.answered(true)
      timer = setTimeout(closed, openWithin(failures), CLOSE_NOT_OPENED)
    } catch (error) {
      if (current.signal.aborted) return
      state.answered(false)
      const refusal = error instanceof ChannelFeedError ? accessRefusal(error) : null
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

/** What the page says about its connection. */
function makeLinkState() {
  let isLive = false
  let wasLive = false
  let lostAt = 0
  /** Whether the present attempt became live. */
  let hasOpened = false
  /** Whether the server answered over HTTP since the connection was lost. */
  let isAnswering = false
  /** How many sockets in a row failed although the server answered. */
  let failedSockets = 0

  function lost(failures: number): Exclude<Link, { state: 'refused' }> {
    if (isLive) {
      lostAt = Date.now()
      isAnswering = false
    }
    isLive = false
    const givenUp = wasLive ? Date.now() - lostAt > GIVE_UP_MS : failures > 0
    if (isAnswering && failedSockets >= BLOCKED_AFTER) return { state: 'blocked' }
    if (!navigator.onLine || (givenUp && !isAnswering)) return { state: 'offline' }
    return { state: wasLive ? 'reconnecting' : 'connecting' }
  }

  return {
    lost,
    begin: () => {
      hasOpened = false
    },
    live: () => {
      isLive = wasLive = hasOpened = true
      failedSockets = 0
    },
    closed: () => {
      if (!hasOpened && isAnswering) failedSockets++
    },
    answered: (isSo: boolean) => {
      isAnswering = isSo
    },
    hasOpened: () => hasOpened,
    mustRead: () => failedSockets > 0,
  }
}
