// The page's live regions: what screen readers announce about actions and decisions.
import { createSignal, For, type JSX } from 'solid-js'

type Line = { text: string; isUrgent: boolean; at: number }

/** Screen readers have noticed a line by then. */
const NOTICED_MS = 5_000

const [lines, setLines] = createSignal<Line[]>([])

/** `isUrgent`: interrupts what is being read. Each text is a new line, so all are read, even the same text again. */
export function announce(text: string, isUrgent = false): void {
  const at = performance.now()
  setLines(before => [...before.filter(line => at - line.at < NOTICED_MS), { text, isUrgent, at }])
}

/** `aria-atomic`: by their role, the regions would be read as a whole. */
export function LiveRegion(): JSX.Element {
  return (
    <div class="sr-only" data-announced="">
      <div role="status" aria-live="polite" aria-atomic="false">
        <For each={lines().filter(({ isUrgent }) => !isUrgent)}>{({ text }) => <p>{text}</p>}</For>
      </div>
      <div role="alert" aria-live="assertive" aria-atomic="false">
        <For each={lines().filter(({ isUrgent }) => isUrgent)}>{({ text }) => <p>{text}</p>}</For>
      </div>
    </div>
  )
}
