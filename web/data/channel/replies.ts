// The replies to a channel, for those who run it: the newest page, which looks again while the page is visible, and older
// ones on request.
import { type Accessor, createEffect, createSignal, on, onCleanup } from 'solid-js'
import { createStore, reconcile } from 'solid-js/store'
import { ChannelFeedError } from '../../../client/errors.ts'
import type { LoggedInteraction } from '../../../shared/interaction-log.ts'
import { listen } from '../../lib/listen.ts'
import { readRepliesSeen, writeRepliesSeen } from '../local-copy/channels.ts'
import { fetchInteractions } from '../owner-requests.ts'

const POLL_MS = 5_000
const REPLIES = { type: 'reply', status: '', search: '', from: '', to: '' }

export type Replies = ReturnType<typeof createReplies>

/** `isOn`: false while the viewer may not read them. */
export function createReplies(channelId: string, isOn: Accessor<boolean>) {
  const [list, setList] = createStore<{ newestFirst: LoggedInteraction[] }>({ newestFirst: [] })
  const [older, setOlder] = createSignal<string | null>(null)
  const [loaded, setLoaded] = createSignal(false)
  /** The time of the newest reply that was on the screen; undefined before the device has answered. */
  const [seenUpTo, setSeenUpTo] = createSignal<string>()
  let timer: ReturnType<typeof setTimeout> | undefined
  let stopped = false

  readRepliesSeen(channelId).then(time => setSeenUpTo(now => now ?? time ?? ''))
  createEffect(on(isOn, look))
  listen(document, 'visibilitychange', look)
  onCleanup(() => {
    stopped = true
    clearTimeout(timer)
  })

  async function look(): Promise<void> {
    clearTimeout(timer)
    if (!isOn() || stopped) return
    if (document.visibilityState === 'visible') await read(null)
    if (stopped) return
    // Another look may have ended while this one read.
    clearTimeout(timer)
    timer = setTimeout(look, POLL_MS)
  }

  async function read(cursor: string | null): Promise<void> {
    try {
      const { interactions, next_cursor } = await fetchInteractions(channelId, { ...REPLIES, cursor })
      if (stopped) return
      const known = new Map(list.newestFirst.map(one => [one.interaction_id, one]))
      // A whole page of new replies: there may be others between it and the known ones.
      const isApart = !interactions.some(({ interaction_id }) => known.has(interaction_id))
      for (const one of interactions) known.set(one.interaction_id, one)
      const all = [...known.values()].sort((a, b) => b.timestamp.localeCompare(a.timestamp))
      setList('newestFirst', reconcile(all, { key: 'interaction_id' }))
      if (cursor !== null || isApart) setOlder(next_cursor)
      setLoaded(true)
    } catch (error) {
      // Offline, or the session has ended: the next look tells.
      if (!(error instanceof ChannelFeedError)) throw error
    }
  }

  const newest = () => list.newestFirst[0]

  return {
    look,
    loaded,
    newestFirst: () => list.newestFirst,
    newest,
    hasOlder: () => older() !== null,
    async showOlder(): Promise<void> {
      const cursor = older()
      if (cursor !== null) await read(cursor)
    },
    unseen(): LoggedInteraction[] {
      const upTo = seenUpTo()
      return upTo === undefined ? [] : list.newestFirst.filter(({ timestamp }) => timestamp > upTo)
    },
    see(): void {
      const time = newest()?.timestamp
      if (time === undefined || time === seenUpTo()) return
      setSeenUpTo(time)
      writeRepliesSeen(channelId, time)
    },
  }
}
