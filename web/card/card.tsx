// One card: its status as a mark and a word, its blocks, and when it was created and changed. In a feed it is one slice
// of its day's surface.
import { createMemo, createSignal, createUniqueId, For, type JSX, Show } from 'solid-js'
import { Dynamic } from 'solid-js/web'
import type { PlacedCard } from '../../shared/card.ts'
import { toServerTime } from '../lib/server-clock.ts'
import { Mark, STATUS_WORDS } from '../ui/status.tsx'
import { sharedNow } from '../ui/time-ago.tsx'
import { BlockView, LeadBlock } from './block.tsx'
import { CardContext, createCardForm } from './card-form.ts'
import { useCardHost } from './card-host.ts'
import { directionOf, layoutOf } from './card-layout.ts'
import { CardTime } from './card-time.tsx'
import { useInteractions } from './interactions.ts'
import { needOf, shownStatus } from './needs-you.ts'
import './card.css'

type CardProps = {
  card: PlacedCard
  /** In the feed, from 1. */
  position: number
  /** How many cards the feed has; -1 if older ones may exist. */
  total: number
  /** Classes of the slice, such as `is-first`. A card that stands alone has none. */
  slice?: Record<string, boolean>
  /** Shown while the pointer or the focus is on the card; always with `hasTools`. */
  tools?: () => JSX.Element
  hasTools?: boolean
}

export function CardView(props: CardProps) {
  const id = createUniqueId()
  const host = useCardHost()
  const { disabledReason } = useInteractions()
  // The id is read once: fields use it after the card is deleted.
  const { id: cardId } = props.card
  const form = createCardForm(cardId, () => props.card.blocks, host.drafts)
  const layout = createMemo(() => layoutOf(props.card.blocks))
  const direction = createMemo(() => directionOf(props.card.blocks))
  const need = createMemo(() =>
    needOf(props.card.blocks, host.viewer(), disabledReason() === undefined, toServerTime(sharedNow())),
  )
  const asks = () => need() === 'you' || need() === 'waiting'
  const status = () => shownStatus(props.card.status, need())
  const word = () => (need() === 'waiting' ? 'Waiting' : STATUS_WORDS[status()])
  const [isNear, setNear] = createSignal(false)
  return (
    <CardContext.Provider value={{ id: cardId, form, asks }}>
      <article
        class="card"
        // A class attribute that changes would drop the classes of the list.
        classList={{
          [`card-${layout().shape}`]: true,
          'needs-you': need() === 'you',
          ...(props.slice ?? { 'is-first': true, 'is-last': true }),
        }}
        data-card-id={props.card.id}
        data-status={props.card.status}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: the articles of a feed take the focus (ARIA feed pattern)
        tabIndex={0}
        // Ids of elements that aren't there are ignored. The exact times are read with the rest.
        aria-labelledby={`${id}-status ${id}-created ${id}-edited`}
        aria-posinset={props.position}
        aria-setsize={props.total}
        onPointerEnter={() => setNear(true)}
        onFocusIn={() => setNear(true)}
      >
        <Mark status={status()} />
        <Dynamic component={layout().shape === 'title' ? 'h3' : 'div'} class="card-lead" dir={direction()}>
          <For each={layout().lead}>{block => <LeadBlock type={block.type} block={block} />}</For>
        </Dynamic>
        <div class="card-meta">
          <Show when={word()}>
            {text => (
              <span class="card-status status-word" data-status={status()} id={`${id}-status`}>
                {text()}
              </span>
            )}
          </Show>
          <CardTime card={props.card} id={id} />
        </div>
        <Show when={layout().rest.length > 0}>
          <div class="blocks" dir={direction()}>
            <For each={layout().rest}>{block => <BlockView type={block.type} block={block} />}</For>
          </div>
        </Show>
        <Show when={(isNear() || props.hasTools) && props.tools}>{tools => tools()()}</Show>
      </article>
    </CardContext.Provider>
  )
}
