// Tells that cards came above what is being read, to the eye and to a screen reader.
import { createEffect, createSignal, on, onCleanup, Show } from 'solid-js'
import { IconArrowUp } from '../ui/icons.tsx'

/** Cards that come close on each other are told of together; in a flood, so often. */
const ANNOUNCE_MS = 1_500
const FLOOD_MS = 10_000

export function NewCardsPill(props: { count: number; onClick: () => void }) {
  return (
    <div class="pill-place">
      <Show when={props.count > 0}>
        <button type="button" class="pill" onClick={() => props.onClick()}>
          <IconArrowUp />
          {newCards(props.count)}
        </button>
      </Show>
    </div>
  )
}

export function newCards(count: number): string {
  return count === 1 ? '1 new card' : `${count} new cards`
}

/** Says politely how many cards came, and where. `count` only rises. */
export function Announcer(props: { count: number; name: string | undefined }) {
  const [words, setWords] = createSignal('')
  let said: number | undefined
  let saidAt = 0
  let timer: ReturnType<typeof setTimeout> | undefined

  createEffect(
    on(
      () => props.count,
      count => {
        if (said === undefined) said = count
        else timer ??= setTimeout(say, Math.max(ANNOUNCE_MS, saidAt + FLOOD_MS - Date.now()))
      },
    ),
  )
  onCleanup(() => clearTimeout(timer))

  function say(): void {
    timer = undefined
    const fresh = props.count - (said ?? 0)
    said = props.count
    saidAt = Date.now()
    // The same words again would not be a change, and not be read.
    setWords('')
    queueMicrotask(() => setWords(`${newCards(fresh)}${props.name === undefined ? '' : ` in ${props.name}`}`))
  }

  return (
    <div class="sr-only" role="status" aria-live="polite" data-cards-said="">
      {words()}
    </div>
  )
}
