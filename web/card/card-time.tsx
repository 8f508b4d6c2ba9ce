// When a card was created and changed, by the clock: the day stands above the card.
import { Show } from 'solid-js'
import type { PlacedCard } from '../../shared/card.ts'
import { timeWords } from '../ui/time-ago.tsx'

/** `id`: the ids of the two times start with it. */
export function CardTime(props: { card: Pick<PlacedCard, 'created_at' | 'updated_at'>; id: string }) {
  return (
    <span class="card-time">
      <Show when={props.card.updated_at !== props.card.created_at}>
        <span class="card-edited" id={`${props.id}-edited`}>
          {'edited '}
          <Clock iso={props.card.updated_at} sameDayAs={props.card.created_at} />
        </span>
      </Show>
      <Clock iso={props.card.created_at} id={`${props.id}-created`} />
    </span>
  )
}

function Clock(props: { iso: string; sameDayAs?: string; id?: string }) {
  return (
    <time
      dateTime={props.iso}
      lang={timeWords().language}
      id={props.id}
      title={timeWords().exactTime(props.iso)}
    >
      <span aria-hidden="true">{timeWords().clockTime(props.iso, props.sameDayAs)}</span>
      <span class="sr-only">{timeWords().exactTime(props.iso)}</span>
    </time>
  )
}
