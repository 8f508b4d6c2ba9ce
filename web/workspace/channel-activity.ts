// Where the channels of a workspace stand, as the server tells, and how many of their cards were not seen here.
import { createEffect } from 'solid-js'
import { createStore, unwrap } from 'solid-js/store'
import type { ChannelActivity } from '../../shared/workspace-live.ts'
import { useReadMarks } from '../data/read-marks.tsx'
import { countUnread } from '../lib/unread.ts'

/** By channel id; undefined while nothing was told. */
type Activity = Record<string, ChannelActivity | undefined>

export function createChannelActivity() {
  const marks = useReadMarks()
  const [activity, setActivity] = createStore<Activity>({})

  // A channel that was never heard of here counts as read.
  createEffect(() => {
    if (!marks.ready()) return
    for (const [id, now] of Object.entries(activity)) if (now) marks.markIfNew(id, now.newest_position)
  })

  function unread(channelId: string): number {
    const now = activity[channelId]
    return now ? countUnread(now.newest_position, now.card_count, marks.upTo(channelId)) : 0
  }

  return {
    take: (told: Record<string, ChannelActivity>) => setActivity(told),
    cardCount: (channel: { id: string; card_count: number }) =>
      activity[channel.id]?.card_count ?? channel.card_count,
    unread,
    /** Without following it. */
    now: () => unwrap(activity),
  }
}
