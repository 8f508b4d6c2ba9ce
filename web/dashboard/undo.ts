// Undo for some seconds after a deletion, even from another page.
import { createEffect, createSignal, on, onCleanup } from 'solid-js'
import { showToast } from '../ui/toast.tsx'

const [restored, setRestored] = createSignal(0)

export function createUndoToast(): (text: string, undo: () => Promise<string | null>) => void {
  let left = false
  onCleanup(() => {
    left = true
  })
  return (words, undo) =>
    showToast({
      words,
      async undo() {
        const error = await undo()
        if (error === null && left) setRestored(count => count + 1)
        return error
      },
    })
}

/** Reads again after an undo by a page that has been left. Failures keep the old value. */
export function reloadAfterUndo<T>(read: () => Promise<T>, set: (value: T) => void): void {
  createEffect(on(restored, () => read().then(set, () => undefined), { defer: true }))
}
