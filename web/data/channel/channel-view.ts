// What the viewer may see and do in a channel. A signed-in user without a role in the workspace also chooses whether
// interactions show their name; the choice is saved per channel.
import { createEffect, createMemo, createSignal } from 'solid-js'
import type { ChannelView } from '../../../shared/channel-view.ts'
import { readByName, writeByName, writeView } from '../local-copy/channels.ts'

export function createChannelView(channelId: string) {
  const [view, setView] = createSignal<ChannelView>()
  const [byName, setByNameSignal] = createSignal(false)
  const hasChoice = createMemo(() => view()?.you?.kind === 'user')
  createEffect(() => {
    if (hasChoice()) readByName(channelId).then(saved => saved !== undefined && setByNameSignal(saved))
  })

  function saveView(next: ChannelView): void {
    setView(next)
    writeView(next)
  }

  function setByName(next: boolean): void {
    setByNameSignal(next)
    writeByName(channelId, next)
  }

  return { view, setView, saveView, byName, setByName }
}
