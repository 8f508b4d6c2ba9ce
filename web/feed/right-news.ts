// Asks the server again what the viewer may do when that may have changed.
import { createEffect } from 'solid-js'
import type { PageFeed } from '../data/channel/page-feed.ts'
import type { LocalInteraction } from '../data/outbox/interaction.ts'
import { useOutbox } from '../data/outbox/outbox.ts'
import { listen } from '../lib/listen.ts'

export function createRightNews(feed: PageFeed): void {
  const outbox = useOutbox()
  const isDenied = ({ channel_id, progress }: LocalInteraction) =>
    channel_id === feed.id && progress.state === 'refused' && progress.failure.code === 'access_denied'

  createEffect(() => {
    const denied = outbox.interactions().findLast(isDenied)
    if (denied) feed.refreshView(`denied ${denied.interaction_id}`)
  })
  // Somebody was asked for the right to act, and may have given it.
  listen(document, 'visibilitychange', () => {
    const isBack = document.visibilityState === 'visible' && feed.viewer()?.can_act === false
    if (isBack) feed.refreshView(`back at ${Date.now()}`)
  })
}
