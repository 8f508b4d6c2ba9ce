// Whether a signed-in user without a role in the workspace sends interactions under their name. Saved per channel.
import { createEffect, createMemo, createSignal } from 'solid-js'
import type { ChannelView } from '../../../shared/channel-view.ts'
import { readByName, writeByName } from '../local-copy/channels.ts'

export function createNameChoice(channelId: string, view: () => ChannelView | undefined) {
  const [byName, setSignal] = createSignal(false)
  // Only these users have the choice; for others nothing needs to be read.
  const hasChoice = createMemo(() => view()?.you?.kind === 'user')
  createEffect(() => {
    if (hasChoice()) readByName(channelId).then(saved => saved !== undefined && setSignal(saved))
  })

  function setByName(next: boolean): void {
    setSignal(next)
    writeByName(channelId, next)
  }

  return { byName, setByName }
}
