// One card of the feed: its status as a coloured edge and in words, its blocks, and when it came and changed.
import { createUniqueId, For, type JSX, Show } from 'solid-js'
import type { CardStatus, PlacedCard } from '../../shared/card.ts'
import { useFeed } from '../data/channel/feed-context.ts'
import { TimeAgo } from '../ui/time-ago.tsx'
import { BlockView } from './block.tsx'
import { CardContext } from './card-context.ts'
import { createCardForm } from './card-form.ts'

const STATUS_WORDS: Record<CardStatus, string | null> = {
  default: null,
  success: 'Success',
  warning: 'Warning',
  error: 'Error',
  pending: 'Pending',
}

export type CardProps = {
  card: PlacedCard
  /** Its place in the feed, from 1. */
  position: number
  /** How many cards the feed has; -1 while older ones may exist. */
  total: number
}

export function Card(props: CardProps): JSX.Element {
  const id = createUniqueId()
  // Its id outlives the card: what is under way when it is deleted still asks for it.
  const context = { id: props.card.id, form: createCardForm(() => props.card, useFeed().drafts) }
  return (
    <CardContext.Provider value={context}>
      <article
        class={`card status-${props.card.status}`}
        data-card-id={props.card.id}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: the articles of a feed take the focus (ARIA feed pattern)
        tabIndex={0}
        // What of it is there; the exact times are read with the rest.
        aria-labelledby={`${id}-status ${id}-created ${id}-edited`}
        aria-posinset={props.position}
        aria-setsize={props.total}
      >
        <header class="card-meta">
          <Show when={STATUS_WORDS[props.card.status]}>
            {word => (
              <span class="card-status" id={`${id}-status`}>
                <span class="dot" aria-hidden="true" />
                {word()}
              </span>
            )}
          </Show>
          <span class="card-time">
            <TimeAgo iso={props.card.created_at} id={`${id}-created`} />
            <Show when={props.card.updated_at !== props.card.created_at}>
              <span class="card-edited">
                {' · '}
                <TimeAgo iso={props.card.updated_at} prefix="updated " id={`${id}-edited`} />
              </span>
            </Show>
          </span>
        </header>
        <div class="blocks">
          <For each={props.card.blocks}>{block => <BlockView type={block.type} block={block} />}</For>
        </div>
      </article>
    </CardContext.Provider>
  )
}
