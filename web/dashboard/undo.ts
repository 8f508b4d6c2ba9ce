// What can be taken back for some seconds, also from another page; where its own page was opened anew meanwhile, that
// one reads what has come back.
import { createEffect, createSignal, on, onCleanup } from 'solid-js'
import { showToast } from '../ui/toast.tsx'

const [undone, setUndone] = createSignal(0)

/** `undo` resolves with null, or with why it cannot be. */
export function createUndo(): (words: string, undo: () => Promise<string | null>) => void {
  let left = false
  onCleanup(() => {
    left = true
  })
  return (words, undo) =>
    showToast({
      words,
      async undo() {
        const reason = await undo()
        if (reason === null && left) setUndone(times => times + 1)
        return reason
      },
    })
}

/** Something that was shown as gone has come back: what stands there stays until the answer is here. */
export function readWhenUndone<T>(read: () => Promise<T>, set: (value: T) => void): void {
  createEffect(on(undone, () => read().then(set, () => undefined), { defer: true }))
}
