// One card: its status as a coloured edge and in words, its blocks, and when it was created and updated.
import { createUniqueId, For, Show } from 'solid-js'
import type { CardStatus, PlacedCard } from '../../shared/card.ts'
import { useFeed } from '../data/channel/channel-feed.ts'
import { TimeAgo } from '../ui/time-ago.tsx'
import { BlockView } from './block.tsx'
import { CardContext, createCardForm } from './card-form.ts'
import './card.css'

const STATUS_TEXTS: Record<CardStatus, string | null> = {
  default: null,
  success: 'Success',
  warning: 'Warning',
  error: 'Error',
  pending: 'Pending',
}

/** `position`: in the feed, from 1. `total`: how many cards the feed has; -1 if older ones may exist. */
export function Card(props: { card: PlacedCard; position: number; total: number }) {
  const id = createUniqueId()
  // The id is read once: fields use it after the card is deleted.
  const { id: cardId } = props.card
  const form = createCardForm(cardId, () => props.card.blocks, useFeed().drafts)
  return (
    <CardContext.Provider value={{ id: cardId, form }}>
      <article
        class={`card box status-${props.card.status}`}
        data-card-id={props.card.id}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: the articles of a feed take the focus (ARIA feed pattern)
        tabIndex={0}
        // Ids of elements that aren't there are ignored. The exact times are read with the rest.
        aria-labelledby={`${id}-status ${id}-created ${id}-edited`}
        aria-posinset={props.position}
        aria-setsize={props.total}
      >
        <header class="card-meta fine">
          <Show when={STATUS_TEXTS[props.card.status]}>
            {text => (
              <span class="card-status" id={`${id}-status`}>
                <span class="dot" aria-hidden="true" />
                {text()}
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
