// Keeps a document in step with the server: asks for the view, opens the socket, comes back after every loss.
// The stock provider does the protocol; when to come back is decided here, because it has no jitter and no `online`.
import { WebsocketProvider } from 'y-websocket'
import type * as Y from 'yjs'
import { ChannelFeedError } from '../../../client/errors.ts'
import type { ChannelView } from '../../../shared/channel-view.ts'
import { afterClose, delayFor, type Refusal, refusalOf } from '../../lib/reconnect.ts'
import { fetchView } from '../client.ts'

export type Link =
  | { state: 'connecting' }
  | { state: 'live' }
  | { state: 'reconnecting' }
  | { state: 'offline' }
  | { state: 'refused'; refusal: Refusal }

export type SyncTarget = {
  channel_id: string
  doc: Y.Doc
  onLink: (link: Link) => void
  onView: (view: ChannelView) => void
  /** The document belongs to a lost timeline. This sync has ended: make a fresh one with a fresh document. */
  onLostTimeline: (failures: number) => void
}

/** The server speaks at least every 25 s; a socket that was silent for longer is dead. */
const SILENCE_MS = 27_000
/** A loss may be a restart of the server. After this long we call it offline, whatever the browser thinks. */
const GIVE_UP_MS = 4_000

export type Sync = { stop: () => void; heardAt: () => number }

/** `failures` counts what went wrong in a row before this one. `heardAt` is when the server last spoke (ms; 0: never). */
export function makeSync(target: SyncTarget, failures: number): Sync {
  const provider = new WebsocketProvider(`${location.origin}/sync`, target.channel_id, target.doc, {
    connect: false,
    disableBc: true,
    shouldReconnect: () => false,
  })
  provider.awareness.setLocalState(null)

  const listening = new AbortController()
  let attempt = failures
  let wasLive = false
  let lostAt = 0
  let timer: ReturnType<typeof setTimeout> | undefined

  provider.on('sync', onSync)
  provider.on('closed', onClosed)
  window.addEventListener('offline', comeBack, { signal: listening.signal })
  window.addEventListener('online', comeBack, { signal: listening.signal })
  window.addEventListener('pageshow', lookAgain, { signal: listening.signal })
  document.addEventListener('visibilitychange', lookAgain, { signal: listening.signal })
  open()
  return { stop, heardAt: () => provider.wsLastMessageReceived }

  function stop(): void {
    listening.abort()
    clearTimeout(timer)
    provider.off('sync', onSync)
    provider.off('closed', onClosed)
    provider.destroy()
  }

  async function open(): Promise<void> {
    clearTimeout(timer)
    if (provider.ws !== null) return
    sayTrying()
    try {
      const view = await fetchView(target.channel_id)
      if (listening.signal.aborted) return
      target.onView(view)
      provider.connect()
    } catch (error) {
      if (listening.signal.aborted) return
      const refusal = error instanceof ChannelFeedError ? refusalOf(error.status, error.message) : null
      if (refusal) return refuse(refusal)
      retryIn(delayFor(attempt++, Math.random()))
      sayTrying()
    }
  }

  function onSync(synced: boolean): void {
    if (synced) {
      attempt = 0
      wasLive = true
      target.onLink({ state: 'live' })
    } else {
      lostAt = Date.now()
      sayTrying()
    }
  }

  function onClosed({ code }: { code: number }): void {
    const after = afterClose(code, attempt++, Math.random())
    if (after.next === 'refused') return refuse(after.refusal)
    if (after.next === 'start-over') {
      stop()
      setTimeout(target.onLostTimeline, after.delay_ms, attempt)
      return
    }
    sayTrying()
    retryIn(after.next === 'retry' ? after.delay_ms : 0)
  }

  function refuse(refusal: Refusal): void {
    stop()
    target.onLink({ state: 'refused', refusal })
  }

  function sayTrying(): void {
    const givenUp = wasLive ? Date.now() - lostAt > GIVE_UP_MS : attempt > 0
    if (!navigator.onLine || givenUp) target.onLink({ state: 'offline' })
    else target.onLink({ state: wasLive ? 'reconnecting' : 'connecting' })
  }

  function retryIn(delay: number): void {
    clearTimeout(timer)
    timer = setTimeout(open, delay)
  }

  /** The network went or came. What hangs is cut off, and tried at once: the server may run on this machine. */
  function comeBack(): void {
    provider.disconnect()
    open()
  }

  /** Somebody looks at the page again; its timers may have slept, and its socket died meanwhile. */
  function lookAgain(): void {
    if (document.visibilityState === 'hidden') return
    const silent = Date.now() - provider.wsLastMessageReceived > SILENCE_MS
    if (!provider.synced || silent) comeBack()
  }
}
