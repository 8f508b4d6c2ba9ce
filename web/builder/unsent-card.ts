// Saves the unsent card in the local copy until sign-out. A tab continues with its own card, a new tab with the newest.
import { createEffect, onCleanup, untrack } from 'solid-js'
import { handOverComposed, readComposed, writeComposed } from '../data/local-copy/drafts.ts'
import { type CardText, EMPTY } from './composition.ts'

/** The channel's name is shown if the list of channels can't be loaded. `created`: the last card that was sent from here. */
export type UnsentCard = CardText & {
  channel: { id: string; name: string } | null
  created?: CreatedText | undefined
}

export type CreatedText = { text: string; channel_id: string }

export async function loadUnsentCard(): Promise<UnsentCard> {
  return (await readComposed<UnsentCard>()) ?? { ...EMPTY, channel: null }
}

export function createUnsentCardSaver(unsent: () => UnsentCard): void {
  let writing = false
  let next: UnsentCard | null = null

  createEffect<UnsentCard>(before => {
    const now = unsent()
    if (before) save(now)
    return now
  })
  const composed = handOverComposed(() => untrack(unsent))
  onCleanup(() => {
    composed.save()
    composed.stop()
  })

  /** While a write runs, only the newest version waits. */
  async function save(now: UnsentCard): Promise<void> {
    next = now
    if (writing) return
    writing = true
    while (next) {
      const current: UnsentCard = next
      next = null
      await writeComposed(current)
    }
    writing = false
  }
}
