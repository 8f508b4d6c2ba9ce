// The list of cards. Only cards near the screen are in the page; older cards load before they are needed.
import {
  type Accessor,
  createEffect,
  createSignal,
  type JSX,
  on,
  onCleanup,
  onMount,
  Show,
  Suspense,
  untrack,
} from 'solid-js'
import { Virtualizer, type VirtualizerHandle } from 'virtua/solid'
import type { PlacedCard } from '../../shared/card.ts'
import { CardView } from '../card/card.tsx'
import { isLine } from '../card/card-layout.ts'
import { useFeed } from '../data/channel/page-feed.ts'
import { showFeed } from '../data/channel/shown-feed.ts'
import { createMedia } from '../lib/media.ts'
import { onKey } from '../lib/on-key.ts'
import { optionalPart } from '../lib/optional-part.ts'
import { dayOf } from '../lib/relative-time.ts'
import { IconArrowUp } from '../ui/icons.tsx'
import { createCardFocus } from './card-focus.ts'
import { DayWords } from './day-words.tsx'
import { FeedBar } from './feed-bar.tsx'
import { FeedEnd } from './feed-end.tsx'
import { createFeedFilter, type FeedFilter } from './feed-filter.ts'
import { NewCardsAnnouncer, NewCardsPill } from './new-cards.tsx'
import { createNextNeed } from './next-need.ts'
import { createOwnActs } from './own-acts.ts'
import { createReadMark, type NewCards } from './read-mark.ts'
import { createReadingPosition, type ReadingPosition } from './reading-position.ts'
import { createTargetCard } from './target-card.ts'
import { TargetNote } from './target-note.tsx'

const CardTools = optionalPart(() => import('./card-tools.tsx'))

/** Older cards load while fewer than this are below the screen. */
const AHEAD = 12
/** A card that is not measured yet counts as a line. Without a guess of ours the list draws nothing ahead until it has one. */
const ITEM_PX = 40
/** Drawn above and below the screen, once the first cards are there. */
const BUFFER_PX = 600
/** Between the bar and a card that is scrolled to. */
const CLEARANCE_PX = 16
/** Drawn one frame early, before the list knows its window's height, and kept until the buffer needs them. */
const FIRST_INDEXES = [0, 1, 2]

export function FeedList(props: { top: JSX.Element }) {
  const feed = useFeed()
  const [handle, setHandle] = createSignal<VirtualizerHandle>()
  const [topHeight, setTopHeight] = createSignal(0)
  const [barHeight, setBarHeight] = createSignal(0)
  const [isMeasured, setMeasured] = createSignal(false)
  /** The bar covers the top. Not a custom property, because the cards would inherit it, and their styles be computed again. */
  const style = () => ({ 'scroll-padding-block-start': `${barHeight() + CLEARANCE_PX}px` })
  const isTouched = createMedia('(pointer: coarse)')
  let scroller: HTMLElement | undefined
  const scrollerElement = () => scroller
  const filter = createFeedFilter(feed)
  const isOwn = createOwnActs(feed)
  const position = createReadingPosition(feed, filter, handle, barHeight, isOwn)
  const newCards = createReadMark(feed, filter, position.unseen, isOwn)
  const focus = createCardFocus(position, handle, scrollerElement)
  createNextNeed(filter, position, focus.reveal)
  const ids = () => position.list().ids
  const total = () => (feed.archive.state() === 'complete' ? ids().length : -1)
  const target = createTargetCard(feed, showCard)
  showFeed(feed, showCard)
  // A button that leads to other cards may vanish with the focus.
  createEffect(on([feed.archive.state, filter.filter], focus.keepInFeed, { defer: true }))
  const loadOlder = createOlderLoader(handle, position, filter)

  function onScroll(offset: number): void {
    position.onScroll(offset)
    loadOlder()
  }

  function showCard(id: string): void {
    filter.setFilter('all')
    focus.reveal(id)
  }

  return (
    <main class="feed-scroller" style={style()} ref={scroller} tabIndex={-1} onKeyDown={onKey(focus.onKey)}>
      <div class="feed-top" ref={measured(setTopHeight)}>
        {props.top}
        <TargetNote missing={target.missing()} onLook={target.lookFurther} />
      </div>
      <Show when={feed.ids().length > 0}>
        <FeedBar top={ids()[position.top()] ?? ''} filter={filter} ref={measured(setBarHeight)}>
          <NewCardsPill count={position.unseen()} onClick={focus.toTop} />
        </FeedBar>
      </Show>
      <NewCardsAnnouncer count={position.arrived()} name={(feed.state.head ?? feed.view()?.channel)?.name} />
      {/* A feed must have an article, so an empty one is a group. */}
      {/* biome-ignore lint/a11y/useAriaPropsSupportedByRole: both of its roles have a name */}
      <div
        class="feed"
        role={ids().length > 0 ? 'feed' : 'group'}
        aria-label="Cards, newest first"
        aria-busy={feed.archive.state() === 'loading'}
        onFocusIn={focus.onFocusIn}
        onFocusOut={focus.onFocusOut}
      >
        <Virtualizer
          ref={setHandle}
          data={ids()}
          shift={position.list().shift}
          keepMounted={isMeasured() && feed.drawn() ? position.keepMounted() : FIRST_INDEXES}
          startMargin={topHeight() + barHeight()}
          scrollRef={scrollerElement()}
          itemSize={ITEM_PX}
          bufferSize={feed.drawn() ? BUFFER_PX : 0}
          onScroll={onScroll}
          onResize={() => setMeasured(true)}
        >
          {(id, index) => (
            <FeedItem
              ids={ids()}
              index={index()}
              id={id}
              total={total()}
              isAtOnce={!untrack(isMeasured)}
              newCards={newCards}
              isPinned={filter.isPinned}
              hasTools={isTouched() && feed.drawn()}
              isAfterYou={filter.needsYou().includes(ids()[index() - 1] ?? '')}
              isTarget={target.id() === id}
            />
          )}
        </Virtualizer>
      </div>
      <FeedEnd filter={filter} />
    </main>
  )
}

/** Returns the function that loads older cards if the reader comes near the end. */
function createOlderLoader(
  handle: Accessor<VirtualizerHandle | undefined>,
  position: ReadingPosition,
  filter: FeedFilter,
): () => void {
  const { archive } = useFeed()
  createEffect(on([archive.state, position.list], loadOlder))
  function loadOlder(): void {
    const list = handle()
    // A filter could otherwise read the whole channel.
    if (!list || archive.state() !== 'idle' || filter.filter() !== 'all') return
    const last = list.findItemIndex(list.scrollOffset + list.viewportSize)
    if (last >= position.list().ids.length - AHEAD) archive.showNext()
  }
  return loadOlder
}

/** A card, and above it the line of its day or of new cards. */
function FeedItem(props: {
  ids: string[]
  id: string
  index: number
  total: number
  /** Visible before the list has measured it. */
  isAtOnce: boolean
  newCards: NewCards
  isPinned: (id: string) => boolean
  /** Nothing hovers over a touched screen, so the menu is always there. */
  hasTools: boolean
  /** The card above needs the viewer. */
  isAfterYou: boolean
  /** The address names this card. */
  isTarget: boolean
}) {
  const { state } = useFeed()
  const at = (index: number) => state.cards[props.ids[index] ?? '']
  const before = () => at(props.index - 1)
  const after = () => at(props.index + 1)
  return (
    <Show when={state.cards[props.id]}>
      {card => {
        const isPinned = () => props.isPinned(props.id)
        const isFirst = () => !isWith(before())
        const isLast = () => !isWith(after())
        /** In the same group: the pinned cards, or those of a day. */
        const isWith = (other: PlacedCard | undefined) =>
          other !== undefined &&
          props.isPinned(other.id) === isPinned() &&
          (isPinned() || dayOf(other.created_at) === dayOf(card().created_at))
        const endsNew = () => props.newCards.isNew(before()) && !props.newCards.isNew(card())
        const newAbove = () => (endsNew() ? props.newCards.count() : 0)
        const slice = () => ({
          'is-first': isFirst(),
          'is-last': isLast(),
          'after-rich': !isFirst() && isRich(before()),
          'after-you': props.isAfterYou,
          'before-rich': !isLast() && isRich(after()),
          'after-new': newAbove() > 0 && !isFirst(),
          'is-target': props.isTarget,
        })
        const tools = () => (
          <Suspense>
            <CardTools card={card()} />
          </Suspense>
        )
        return (
          <div class="feed-item" classList={{ 'feed-item-at-once': props.isAtOnce }}>
            <Show when={before() && isFirst()}>
              {/* The line at the top of the feed says the same to screen readers, and each card has its exact time. */}
              <div class="day-line" aria-hidden="true">
                <DayWords iso={card().created_at} />
              </div>
            </Show>
            <Show when={newAbove() > 0}>
              <div class="new-line" classList={{ 'new-line-apart': isFirst() }}>
                <IconArrowUp />
                <span>{newAbove()} new since you left</span>
              </div>
            </Show>
            <CardView
              card={card()}
              position={props.index + 1}
              total={props.total}
              slice={slice()}
              tools={tools}
              hasTools={props.hasTools}
            />
          </div>
        )
      }}
    </Show>
  )
}

const isRich = (card: PlacedCard | undefined) => card !== undefined && !isLine(card.blocks)

/** Reports the height of the element, until the calling component is removed. */
function measured(onHeight: (height: number) => void): (element: HTMLElement) => void {
  return element => {
    const observer = new ResizeObserver(() => onHeight(element.offsetHeight))
    onMount(() => observer.observe(element))
    onCleanup(() => observer.disconnect())
  }
}
