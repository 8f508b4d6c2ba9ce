// Keeps what is being composed over reloads, in the local copy: signing out forgets it. A tab goes on with its own;
// a new one begins with what was written last.
import { createEffect, onCleanup, untrack } from 'solid-js'
import { readComposed, writeComposed, writeLastComposed } from '../data/local-copy/drafts.ts'
import { EMPTY, type KeptDraft } from './builder.ts'

/** `channel`: where it goes. Its name is for when the channels cannot be asked for. */
export type Composed = KeptDraft & { channel: { id: string; name: string } | null }

export async function readKept(): Promise<Composed> {
  return (await readComposed<Composed>()) ?? { ...EMPTY, channel: null }
}

export function createDraftKeeper(composed: () => Composed): void {
  let writing = false
  let next: Composed | null = null

  createEffect<Composed>(before => {
    const now = composed()
    if (before) keep(now)
    return now
  })
  window.addEventListener('pagehide', keepLast)
  onCleanup(() => {
    window.removeEventListener('pagehide', keepLast)
    keepLast()
  })

  async function keep(now: Composed): Promise<void> {
    next = now
    if (writing) return
    writing = true
    while (next) {
      const current: Composed = next
      next = null
      await writeComposed(current)
    }
    writing = false
  }

  /** The page goes before IndexedDB is done, and another tab may have written to it since. */
  function keepLast(): void {
    writeLastComposed(untrack(composed))
  }
}
