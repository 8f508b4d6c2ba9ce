// Keeps a workspace's page in step with the server: asks for the page, opens the socket, comes back after every loss.
// It says nothing to the server. Messages are the server's own and taken as they are, as its answers are.

import { ChannelFeedError } from '../../client/errors.ts'
import { CLOSE_DELETED } from '../../shared/close-codes.ts'
import type { ChannelActivity, WorkspaceMessage, WorkspacePage } from '../../shared/workspace-live.ts'
import type { Link } from '../data/channel/sync.ts'
import { fetchWorkspacePage } from '../data/client.ts'
import { afterClose, delayFor, type Refusal, refusalOf } from '../lib/reconnect.ts'

export type WorkspaceTarget = {
  slug: string
  onLink: (link: Exclude<Link, { state: 'refused' }>) => void
  onPage: (page: WorkspacePage) => void
  onActivity: (channels: Record<string, ChannelActivity>) => void
  /** This has ended. `deleted`: the server said that the workspace is gone, not only that the slug names none. */
  onRefused: (refusal: Refusal, deleted: boolean) => void
}

export type WorkspaceSync = { stop: () => void; heardAt: () => number }

/** The server speaks at least every 20 s; a socket that was silent for so long is dead. */
const SILENCE_MS = 45_000
/** A loss may be a restart of the server. After this long we call it offline, whatever the browser thinks. */
const GIVE_UP_MS = 4_000

export function makeWorkspaceSync(target: WorkspaceTarget): WorkspaceSync {
  const listening = new AbortController()
  const { signal } = listening
  let socket: WebSocket | undefined
  let opening: AbortController | undefined
  let attempt = 0
  let wasLive = false
  let lostAt = 0
  let heardAt = 0
  let timer: ReturnType<typeof setTimeout> | undefined
  let silence: ReturnType<typeof setTimeout> | undefined

  window.addEventListener('offline', comeBack, { signal })
  window.addEventListener('online', comeBack, { signal })
  window.addEventListener('pageshow', lookAgain, { signal })
  document.addEventListener('visibilitychange', lookAgain, { signal })
  open()
  return { stop, heardAt: () => heardAt }

  function stop(): void {
    listening.abort()
    cutOff()
  }

  /** What is open or being opened says nothing any more. */
  function cutOff(): void {
    clearTimeout(timer)
    clearTimeout(silence)
    opening?.abort()
    socket?.close()
    opening = undefined
    socket = undefined
  }

  async function open(): Promise<void> {
    cutOff()
    const mine = new AbortController()
    opening = mine
    sayTrying()
    try {
      const page = await fetchWorkspacePage(target.slug)
      if (mine.signal.aborted) return
      heardAt = Date.now()
      target.onPage(page)
      listen(mine.signal)
    } catch (error) {
      if (mine.signal.aborted) return
      const refusal = error instanceof ChannelFeedError ? refusalOf(error.status, error.message) : null
      if (refusal) return refuse(refusal, false)
      comeBackIn(delayFor(attempt++, Math.random()))
    }
  }

  function listen(ended: AbortSignal): void {
    const address = `${location.origin}/live/workspaces/${encodeURIComponent(target.slug)}`
    const opened = new WebSocket(address.replace(/^http/, 'ws'))
    socket = opened
    opened.addEventListener('message', hear, { signal: ended })
    opened.addEventListener('close', event => onClosed(event.code), { signal: ended })
    hearAgain()
  }

  function hear(event: MessageEvent<string>): void {
    heardAt = Date.now()
    hearAgain()
    const message: WorkspaceMessage = JSON.parse(event.data)
    if (message.type === 'activity') target.onActivity(message.channels)
    if (message.type !== 'page') return
    attempt = 0
    wasLive = true
    target.onPage(message.page)
    target.onLink({ state: 'live' })
  }

  function hearAgain(): void {
    clearTimeout(silence)
    silence = setTimeout(comeBack, SILENCE_MS)
  }

  function onClosed(code: number): void {
    clearTimeout(silence)
    socket = undefined
    if (wasLive && attempt === 0) lostAt = Date.now()
    const after = afterClose(code, attempt++, Math.random())
    if (after.next === 'refused') return refuse(after.refusal, code === CLOSE_DELETED)
    comeBackIn(after.next === 'ask-again' ? 0 : after.delay_ms)
  }

  function refuse(refusal: Refusal, deleted: boolean): void {
    stop()
    target.onRefused(refusal, deleted)
  }

  function sayTrying(): void {
    const givenUp = wasLive ? lostAt > 0 && Date.now() - lostAt > GIVE_UP_MS : attempt > 0
    if (!navigator.onLine || givenUp) target.onLink({ state: 'offline' })
    else target.onLink({ state: wasLive ? 'reconnecting' : 'connecting' })
  }

  function comeBackIn(delay: number): void {
    sayTrying()
    clearTimeout(timer)
    timer = setTimeout(open, delay)
  }

  /** The network went or came, or nothing was heard. What hangs is cut off, and tried at once. */
  function comeBack(): void {
    if (socket?.readyState === WebSocket.OPEN) lostAt = Date.now()
    open()
  }

  /** Somebody looks at the page again; its timers may have slept, and its socket died meanwhile. */
  function lookAgain(): void {
    if (document.visibilityState === 'hidden') return
    const silent = Date.now() - heardAt > SILENCE_MS
    if (socket?.readyState !== WebSocket.OPEN || silent) comeBack()
  }
}
