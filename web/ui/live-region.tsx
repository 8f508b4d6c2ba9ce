// The page's live region: what screen readers announce about actions and decisions.
import { createSignal, type JSX } from 'solid-js'

const [polite, setPolite] = createSignal('')
const [urgent, setUrgent] = createSignal('')

/** `isUrgent`: interrupts what is being read. Screen readers ignore the same text again, so it is cleared first. */
export function announce(text: string, isUrgent = false): void {
  const set = isUrgent ? setUrgent : setPolite
  set('')
  queueMicrotask(() => set(text))
}

export function LiveRegion(): JSX.Element {
  return (
    <div class="sr-only" data-announced="">
      <div role="status" aria-live="polite">
        {polite()}
      </div>
      <div role="alert" aria-live="assertive">
        {urgent()}
      </div>
    </div>
  )
}
