// New cards above the reader: a button on the screen, and an announcement to screen readers.
import { createEffect, createSignal, onCleanup, Show } from 'solid-js'
import { IconArrowUp } from '../ui/icons.tsx'
import './new-cards.css'

const ANNOUNCE_MS = 1_500
/** The shortest time between two announcements. */
const FLOOD_MS = 10_000

export function NewCardsPill(props: { count: number; onClick: () => void }) {
  return (
    <Show when={props.count > 0}>
      <button type="button" class="pill" onClick={() => props.onClick()}>
        <IconArrowUp />
        {newCards(props.count)}
      </button>
    </Show>
  )
}

const newCards = (count: number) => (count === 1 ? '1 new card' : `${count} new cards`)

/** `count` counts every card that arrived; it never falls. */
export function NewCardsAnnouncer(props: { count: number; name: string | undefined }) {
  const [text, setText] = createSignal('')
  let announced: number | undefined
  let announcedAt = 0
  let timer: ReturnType<typeof setTimeout> | undefined

  createEffect(() => {
    const { count } = props
    if (announced === undefined) announced = count
    else timer ??= setTimeout(announce, Math.max(ANNOUNCE_MS, announcedAt + FLOOD_MS - Date.now()))
  })
  onCleanup(() => clearTimeout(timer))

  function announce(): void {
    timer = undefined
    const added = props.count - (announced ?? 0)
    announced = props.count
    announcedAt = Date.now()
    // Screen readers ignore the same text again, so it is cleared first.
    setText('')
    queueMicrotask(() => setText(`${newCards(added)}${props.name === undefined ? '' : ` in ${props.name}`}`))
  }

  return (
    <div class="sr-only" role="status" aria-live="polite" data-new-cards="">
      {text()}
    </div>
  )
}
