// A card in the feed, with what stands above it: the line of its day, or the line of new cards.
import { Show, Suspense } from 'solid-js'
import type { PlacedCard } from '../../shared/card.ts'
import { Card } from '../card/card.tsx'
import { isLine } from '../card/card-layout.ts'
import { optionalPart } from '../lib/optional-part.ts'
import { dayOf } from '../lib/relative-time.ts'
import { IconArrowUp } from '../ui/icons.tsx'
import { DayWords } from './day-words.tsx'

const CardTools = optionalPart(() => import('./card-tools.tsx'))

export function FeedItem(props: {
  card: PlacedCard
  before: PlacedCard | undefined
  after: PlacedCard | undefined
  position: number
  total: number
  /** How many cards are new, if they end above this card. */
  newAbove: number
  /** The card that the address names. */
  isTarget: boolean
}) {
  const isFirst = () => !isSameDay(props.before, props.card)
  const isLast = () => !isSameDay(props.after, props.card)
  const slice = () => ({
    'is-first': isFirst(),
    'is-last': isLast(),
    'after-rich': !isFirst() && isRich(props.before),
    'before-rich': !isLast() && isRich(props.after),
    'after-new': props.newAbove > 0 && !isFirst(),
    'is-target': props.isTarget,
  })
  const tools = () => (
    <Suspense>
      <CardTools card={props.card} />
    </Suspense>
  )
  return (
    <>
      <Show when={props.before && isFirst()}>
        {/* The line at the top of the feed says the same to screen readers, and each card has its exact time. */}
        <div class="day-line" aria-hidden="true">
          <DayWords iso={props.card.created_at} />
        </div>
      </Show>
      <Show when={props.newAbove > 0}>
        <div class="new-line" classList={{ 'new-line-apart': isFirst() }}>
          <IconArrowUp />
          <span>
            {props.newAbove === 1 ? '1 new since you left' : `${props.newAbove} new since you left`}
          </span>
        </div>
      </Show>
      <Card card={props.card} position={props.position} total={props.total} slice={slice()} tools={tools} />
    </>
  )
}

const isSameDay = (other: PlacedCard | undefined, card: PlacedCard) =>
  other !== undefined && dayOf(other.created_at) === dayOf(card.created_at)

const isRich = (card: PlacedCard | undefined) => card !== undefined && !isLine(card.blocks)
