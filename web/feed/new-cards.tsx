// Tells that cards came above what is being read, to the eye and to a screen reader.
import { createEffect, createSignal, on, onCleanup, Show } from 'solid-js'
import { IconArrowUp } from '../shell/icons.tsx'

const ANNOUNCE_MS = 1_500

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

/** Says politely how many cards arrived, together when they come close on each other. `count` only rises. */
export function Announcer(props: { count: number }) {
  const [words, setWords] = createSignal('')
  let said = 0
  let timer: ReturnType<typeof setTimeout> | undefined
  createEffect(
    on(
      () => props.count,
      (count, before) => {
        if (before === undefined) said = count
        clearTimeout(timer)
        timer = setTimeout(() => {
          if (count > said) setWords(newCards(count - said))
          said = count
        }, ANNOUNCE_MS)
      },
    ),
  )
  onCleanup(() => clearTimeout(timer))
  return (
    <div class="sr-only" role="status" aria-live="polite">
      {words()}
    </div>
  )
}
