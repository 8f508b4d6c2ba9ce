// Announces to screen readers when the status of a viewer's interaction in this channel changes.
import { createEffect } from 'solid-js'
import { useFeed } from '../data/channel/page-feed.ts'
import { announcementOf } from '../data/outbox/interaction-text.ts'
import { useOutbox } from '../data/outbox/outbox.ts'
import { announce } from '../ui/live-region.tsx'

export function createInteractionAnnouncer(): void {
  const feed = useFeed()
  const outbox = useOutbox()
  const announced = new Map<string, string | null>()
  let isFirst = true

  createEffect(() => {
    if (!outbox.ready()) return
    const changed: string[] = []
    let isUrgent = false
    for (const interaction of outbox.interactions()) {
      const announcement = interaction.channel_id === feed.id ? announcementOf(interaction) : null
      if (!isFirst && announcement !== null && announced.get(interaction.interaction_id) !== announcement) {
        changed.push(announcement)
        // A press that doesn't count, although the person may think that it does.
        isUrgent ||= interaction.decision_id !== undefined && interaction.progress.state === 'refused'
      }
      announced.set(interaction.interaction_id, announcement)
    }
    isFirst = false
    if (changed.length > 0) announce(changed.join('. '), isUrgent)
  })
}
