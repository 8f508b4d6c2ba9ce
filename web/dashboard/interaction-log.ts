// Pages of a channel's log. The newest page polls while it is visible, faster while a delivery is pending.
import { type Accessor, batch, createEffect, createSignal, on, onCleanup } from 'solid-js'
import { createStore, reconcile } from 'solid-js/store'
import { ChannelFeedError } from '../../client/errors.ts'
import type { InteractionLog, LoggedInteraction } from '../../shared/interaction-log.ts'
import { fetchInteractions, type InteractionQuery } from '../data/owner-requests.ts'
import { errorText } from '../lib/error-text.ts'
import { listen } from '../lib/listen.ts'
import { type Load, readyValue } from '../ui/load.tsx'

const POLL_MS = 5_000
const PENDING_POLL_MS = 1_000
const FAILED_POLL_MS = 10_000
const ANY = { type: '', status: '', search: '' }

/** `next`: the cursor of the next page. `stale`: why the entries, which stay visible, may be out of date. */
type LogState = Load<{ next: string | null; stale?: string }>

/** The entry that the address names. It may be on another page; its time finds it there. */
export type OpenEntry = { id: string | undefined; at: number }

export function createInteractionLog(
  channelId: string,
  filter: Accessor<InteractionQuery>,
  open: Accessor<OpenEntry>,
) {
  const [entries, setEntries] = createStore<LoggedInteraction[]>([])
  /** The open entry, if it's on another page. */
  const [apart, setApart] = createStore<LoggedInteraction[]>([])
  /** Entries of this page that the filter no longer finds, because of what their deliveries became. */
  const [past, setPast] = createSignal<ReadonlySet<string>>(new Set())
  const [state, setState] = createSignal<LogState>({ state: 'loading' })
  /** The cursors from the second page to this one; empty on the newest page. */
  const [cursors, setCursors] = createSignal<string[]>([])
  /** Numbers the requests: only the latest response counts. -1 after the page was left. */
  let requests = 0
  let timer: ReturnType<typeof setTimeout> | undefined

  const next = () => readyValue(state())?.next ?? null

  createEffect(on(filter, () => turnTo([])))
  listen(document, 'visibilitychange', poll)
  listen(window, 'online', refresh)
  onCleanup(() => {
    requests = -1
    clearTimeout(timer)
  })

  function turnTo(path: string[]): Promise<void> {
    setState({ state: 'loading' })
    setPast(new Set<string>())
    setEntries([])
    setCursors(path)
    return refresh()
  }

  async function refresh(): Promise<void> {
    if (requests < 0) return
    const request = ++requests
    clearTimeout(timer)
    try {
      const page = await fetchInteractions(channelId, { ...filter(), cursor: cursors().at(-1) ?? null })
      const other = find(page.interactions) ? [] : await readEntry(channelId, open())
      if (request !== requests) return
      const gone = await readAgain(channelId, goneFrom(page, entries))
      if (request !== requests) return
      // At once: the open entry may move from one to the other.
      batch(() => {
        setPast(new Set(gone.map(({ interaction_id }) => interaction_id)))
        setEntries(reconcile([...page.interactions, ...gone].sort(newestFirst), { key: 'interaction_id' }))
        setApart(reconcile(other, { key: 'interaction_id' }))
      })
      setState({ state: 'ready', value: { next: page.next_cursor } })
      schedulePoll(isPending([...entries, ...other]) ? PENDING_POLL_MS : POLL_MS)
    } catch (error) {
      if (!(error instanceof ChannelFeedError)) throw error
      if (request !== requests) return
      setState(afterFailure(state(), error))
      schedulePoll(FAILED_POLL_MS)
    }
  }

  const find = (among: LoggedInteraction[]) =>
    among.find(({ interaction_id }) => interaction_id === open().id)

  function schedulePoll(ms: number): void {
    const isOldPage = cursors().length > 0 && ms === POLL_MS
    if (!isOldPage) timer = setTimeout(poll, ms)
  }

  function poll(): void {
    if (document.visibilityState === 'visible') refresh()
  }

  return {
    entries,
    isPast: ({ interaction_id }: LoggedInteraction) => past().has(interaction_id),
    /** Undefined if it isn't there. */
    openEntry: () => find(entries) ?? find(apart),
    state,
    refresh,
    hasNewer: () => cursors().length > 0,
    hasOlder: () => next() !== null,
    newer: () => (cursors().length === 0 ? Promise.resolve() : turnTo(cursors().slice(0, -1))),
    older: () => {
      const cursor = next()
      return cursor === null ? Promise.resolve() : turnTo([...cursors(), cursor])
    },
    again: () => turnTo(cursors()),
  }
}

/** Those that the filter no longer finds, as after another delivery. Entries that moved to the next page aren't gone. */
function goneFrom({ interactions, next_cursor }: InteractionLog, before: LoggedInteraction[]) {
  const ids = new Set(interactions.map(({ interaction_id }) => interaction_id))
  const end = next_cursor === null ? '' : (interactions.at(-1)?.timestamp ?? '')
  return before.filter(({ interaction_id, timestamp }) => !ids.has(interaction_id) && timestamp >= end)
}

/** As the log has them now. */
async function readAgain(channelId: string, gone: LoggedInteraction[]): Promise<LoggedInteraction[]> {
  const [newest, oldest] = [gone[0], gone.at(-1)]
  if (!newest || !oldest) return []
  const to = new Date(Date.parse(newest.timestamp) + 1).toISOString()
  const read = await fetchInteractions(channelId, { ...ANY, from: oldest.timestamp, to, cursor: null })
  const ids = new Set(gone.map(({ interaction_id }) => interaction_id))
  return read.interactions.filter(({ interaction_id }) => ids.has(interaction_id))
}

const newestFirst = (a: LoggedInteraction, b: LoggedInteraction) => b.timestamp.localeCompare(a.timestamp)

async function readEntry(channelId: string, { id, at }: OpenEntry): Promise<LoggedInteraction[]> {
  if (id === undefined || Number.isNaN(at)) return []
  const iso = (time: number) => new Date(time).toISOString()
  const times = { from: iso(at), to: iso(at + 1) }
  const found = await fetchInteractions(channelId, { ...ANY, ...times, cursor: null })
  return found.interactions.filter(({ interaction_id }) => interaction_id === id)
}

function afterFailure(before: LogState, error: ChannelFeedError): LogState {
  const { status } = error
  const message = errorText(error)
  const lostAccess = status === 401 || status === 403 || status === 404
  if (before.state === 'ready' && !lostAccess)
    return { state: 'ready', value: { ...before.value, stale: message } }
  return { state: 'failed', message, status }
}

const isPending = (entries: LoggedInteraction[]) =>
  entries.some(({ deliveries }) => deliveries[0]?.status === 'pending')
