// The log of a channel, page by page. The newest page is asked for again now and then while somebody looks at it, and
// sooner while a delivery is under way; pages before it stand still.
import { type Accessor, createEffect, createSignal, on, onCleanup } from 'solid-js'
import { createStore, reconcile } from 'solid-js/store'
import { ChannelFeedError } from '../../client/errors.ts'
import type { LoggedInteraction } from '../../shared/interaction-log.ts'
import { fetchLog } from '../data/owner-client.ts'

const QUIET_MS = 5_000
const PENDING_MS = 1_000
const FAILED_MS = 10_000

export type LogFilter = { type: string; status: string }
export type LogState =
  | { state: 'loading' }
  | { state: 'ready'; next: string | null }
  /** Shown as it was; why it is not up to date. */
  | { state: 'stale'; next: string | null; message: string }
  | { state: 'failed'; message: string; status: number | null }

export type Log = ReturnType<typeof createLog>

export function createLog(channelId: string, filter: Accessor<LogFilter>) {
  const [entries, setEntries] = createStore<LoggedInteraction[]>([])
  const [state, setState] = createSignal<LogState>({ state: 'loading' })
  /** Where the pages begin that lead here; the newest one begins nowhere. */
  const [cursors, setCursors] = createSignal<string[]>([])
  let asked = 0
  let timer: ReturnType<typeof setTimeout> | undefined

  const next = () => {
    const now = state()
    return now.state === 'ready' || now.state === 'stale' ? now.next : null
  }

  createEffect(on(filter, () => open([])))
  document.addEventListener('visibilitychange', look)
  window.addEventListener('online', refresh)
  onCleanup(() => {
    asked = -1
    clearTimeout(timer)
    document.removeEventListener('visibilitychange', look)
    window.removeEventListener('online', refresh)
  })

  function open(path: string[]): Promise<void> {
    setState({ state: 'loading' })
    setCursors(path)
    return refresh()
  }

  async function refresh(): Promise<void> {
    if (asked < 0) return
    const turn = ++asked
    clearTimeout(timer)
    try {
      const page = await fetchLog(channelId, { ...filter(), cursor: cursors().at(-1) ?? null })
      if (turn !== asked) return
      setEntries(reconcile(page.interactions, { key: 'interaction_id' }))
      setState({ state: 'ready', next: page.next_cursor })
      lookAgain(isPending(page.interactions) ? PENDING_MS : QUIET_MS)
    } catch (error) {
      if (!(error instanceof ChannelFeedError)) throw error
      if (turn !== asked) return
      setState(afterFailure(state(), error))
      lookAgain(FAILED_MS)
    }
  }

  function lookAgain(ms: number): void {
    const standsStill = cursors().length > 0 && ms === QUIET_MS
    if (!standsStill) timer = setTimeout(look, ms)
  }

  function look(): void {
    if (document.visibilityState === 'visible') refresh()
  }

  return {
    entries,
    state,
    refresh,
    hasNewer: () => cursors().length > 0,
    hasOlder: () => next() !== null,
    newer: () => (cursors().length === 0 ? Promise.resolve() : open(cursors().slice(0, -1))),
    older: () => {
      const cursor = next()
      return cursor === null ? Promise.resolve() : open([...cursors(), cursor])
    },
    again: () => open(cursors()),
  }
}

/** What was loaded stays, unless the right to see it is gone. */
function afterFailure(before: LogState, { message, status }: ChannelFeedError): LogState {
  const gone = status === 401 || status === 403 || status === 404
  if ((before.state === 'ready' || before.state === 'stale') && !gone)
    return { state: 'stale', next: before.next, message }
  return { state: 'failed', message, status }
}

function isPending(entries: LoggedInteraction[]): boolean {
  return entries.some(({ deliveries }) => deliveries[0]?.status === 'pending')
}
