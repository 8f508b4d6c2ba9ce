// The activity of each channel, live, and its unread cards on this device.
import { createEffect, untrack } from 'solid-js'
import { createStore } from 'solid-js/store'
import type { ChannelSummary } from '../../shared/channel-summary.ts'
import type { ChannelActivity } from '../../shared/workspace-live.ts'
import { useReadMarks } from '../data/read-marks.tsx'
import { countUnread } from '../lib/unread.ts'

export function createChannelActivity() {
  const marks = useReadMarks()
  const [activity, setActivity] = createStore<Record<string, ChannelActivity | undefined>>({})

  // A channel that is new to this device counts as read.
  createEffect(() => {
    if (!marks.ready()) return
    for (const [id, now] of Object.entries(activity)) if (now) marks.markIfNew(id, now.newest_position)
  })

  function unread(channelId: string): number {
    const now = activity[channelId]
    return now ? countUnread(now.newest_position, now.card_count, marks.upTo(channelId)) : 0
  }

  return {
    update: (changed: Record<string, ChannelActivity>) => setActivity(changed),
    /** A page has the same, but not the position of the newest card. */
    adopt(channels: (ChannelSummary & { id: string; card_count: number })[]): void {
      for (const { id, card_count, last_card, waiting, needs_you, webhook } of channels)
        if (untrack(() => activity[id]))
          setActivity(id, { card_count, last_card, waiting, needs_you, webhook })
    },
    cardCount: (channel: { id: string; card_count: number }) =>
      activity[channel.id]?.card_count ?? channel.card_count,
    /** Its newest card, its open questions and its webhook. */
    summary: (channel: ChannelSummary & { id: string }): ChannelSummary => activity[channel.id] ?? channel,
    unread,
  }
}
