// What the viewer may see and do in a channel, and whether a user without a role shows their name in interactions.
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
