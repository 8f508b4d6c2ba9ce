// The text of a search field, which the page's address keeps.
import { type Accessor, createEffect, createSignal, on, onCleanup } from 'solid-js'

const TYPING_MS = 300

/** The address follows when the typing pauses. */
export function createTyping(known: Accessor<string>, save: (text: string) => void) {
  const [typed, setTyped] = createSignal<string>()
  let timer: ReturnType<typeof setTimeout> | undefined
  const stopTimer = () => clearTimeout(timer)
  onCleanup(stopTimer)
  createEffect(
    on(
      known,
      () => {
        stopTimer()
        setTyped(undefined)
      },
      { defer: true },
    ),
  )

  function type(text: string): void {
    setTyped(text)
    stopTimer()
    timer = setTimeout(save, TYPING_MS, text)
  }

  return { text: () => typed() ?? known(), type }
}
