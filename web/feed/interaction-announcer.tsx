// Announces to screen readers when the status of a viewer's interaction in this channel changes.
import { createEffect, createSignal } from 'solid-js'
import { useFeed } from '../data/channel/channel-feed.ts'
import { announcementOf } from '../data/outbox/interaction-text.ts'
import { useOutbox } from '../data/outbox/outbox.ts'

export function InteractionAnnouncer() {
  const feed = useFeed()
  const outbox = useOutbox()
  const [text, setText] = createSignal('')
  const announced = new Map<string, string | null>()
  let isFirst = true

  createEffect(() => {
    if (!outbox.ready()) return
    const changed: string[] = []
    for (const interaction of outbox.interactions()) {
      const announcement = interaction.channel_id === feed.id ? announcementOf(interaction) : null
      if (!isFirst && announcement !== null && announced.get(interaction.interaction_id) !== announcement)
        changed.push(announcement)
      announced.set(interaction.interaction_id, announcement)
    }
    isFirst = false
    if (changed.length > 0) setText(changed.join('. '))
  })

  return (
    <div class="sr-only" role="status" aria-live="polite">
      {text()}
    </div>
  )
}
