// Says politely how the viewer's acts in this channel fare, as that changes.
import { createEffect, createSignal, type JSX } from 'solid-js'
import { useFeed } from '../data/channel/feed-context.ts'
import { actAnnouncement } from '../data/outbox/interaction-words.ts'
import { useOutbox } from '../data/outbox/outbox-context.tsx'

export function ActAnnouncer(): JSX.Element {
  const feed = useFeed()
  const outbox = useOutbox()
  const [words, setWords] = createSignal('')
  const said = new Map<string, string | null>()
  let first = true

  createEffect(() => {
    if (!outbox.ready()) return
    const fresh: string[] = []
    for (const act of outbox.acts()) {
      const announcement = act.channel_id === feed.id ? actAnnouncement(act) : null
      if (!first && announcement !== null && said.get(act.interaction_id) !== announcement)
        fresh.push(announcement)
      said.set(act.interaction_id, announcement)
    }
    first = false
    if (fresh.length > 0) setWords(fresh.join('. '))
  })

  return (
    <div class="sr-only" role="status" aria-live="polite" data-acts-said="">
      {words()}
    </div>
  )
}
