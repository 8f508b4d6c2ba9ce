// The list of cards. Only cards near the screen are in the page; older cards load before they are needed.
import {
  createEffect,
  createSignal,
  type JSX,
  Match,
  on,
  onCleanup,
  onMount,
  type ParentProps,
  Show,
  Switch,
  untrack,
} from 'solid-js'
import { Virtualizer, type VirtualizerHandle } from 'virtua/solid'
import { Card } from '../card/card.tsx'
import { useFeed } from '../data/channel/channel-feed.ts'
import { LinkButton } from '../ui/button.tsx'
import { createCardFocus } from './card-focus.ts'
import { NewCardsAnnouncer, NewCardsPill } from './new-cards.tsx'
import { createReadMark } from './read-mark.ts'
import { createReadingPosition } from './reading-position.ts'

/** Older cards load while fewer than this are below the screen. */
const AHEAD = 12
/** Drawn one frame early: before the list knows its window's height. */
const FIRST_INDEXES = [0, 1, 2]

export function FeedList(props: { top: JSX.Element }) {
  const feed = useFeed()
  const [handle, setHandle] = createSignal<VirtualizerHandle>()
  const [topHeight, setTopHeight] = createSignal(0)
  const [isMeasured, setMeasured] = createSignal(false)
  let scroller: HTMLElement | undefined
  const scrollerElement = () => scroller
  const position = createReadingPosition(feed, handle)
  createReadMark(feed, position.unseen)
  const focus = createCardFocus(position, handle, scrollerElement)
  const ids = () => position.list().ids
  const total = () => (feed.archive.state() === 'complete' ? ids().length : -1)

  createEffect(on([feed.archive.state, position.list], loadOlder))
  function loadOlder(): void {
    const list = handle()
    if (!list || feed.archive.state() !== 'idle') return
    const last = list.findItemIndex(list.scrollOffset + list.viewportSize)
    if (last >= ids().length - AHEAD) feed.archive.showNext()
  }

  function onScroll(offset: number): void {
    position.onScroll(offset)
    loadOlder()
  }

  function scrollToTop(): void {
    focus.focusScroller()
    const isCalm = matchMedia('(prefers-reduced-motion: reduce)').matches
    scroller?.scrollTo({ top: 0, behavior: isCalm ? 'instant' : 'smooth' })
  }

  return (
    <main class="feed-scroller" ref={scroller} tabIndex={-1} onKeyDown={focus.onKeyDown}>
      <MeasuredTop onHeight={setTopHeight}>{props.top}</MeasuredTop>
      <NewCardsPill count={position.unseen()} onClick={scrollToTop} />
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
          keepMounted={isMeasured() ? position.keepMounted() : FIRST_INDEXES}
          startMargin={topHeight()}
          scrollRef={scrollerElement()}
          bufferSize={600}
          onScroll={onScroll}
          onResize={() => setMeasured(true)}
        >
          {(id, index) => (
            <Show when={feed.state.cards[id]}>
              {card => (
                <div class="feed-item" classList={{ 'feed-item-at-once': !untrack(isMeasured) }}>
                  <Card card={card()} position={index() + 1} total={total()} />
                </div>
              )}
            </Show>
          )}
        </Virtualizer>
      </div>
      <FeedEnd />
    </main>
  )
}

function MeasuredTop(props: ParentProps<{ onHeight: (height: number) => void }>) {
  function measure(top: HTMLElement): void {
    const observer = new ResizeObserver(() => props.onHeight(top.offsetHeight))
    onMount(() => observer.observe(top))
    onCleanup(() => observer.disconnect())
  }
  return (
    <div class="feed-top" ref={measure}>
      {props.children}
    </div>
  )
}

function FeedEnd() {
  const feed = useFeed()
  return (
    <div class="feed-end quiet">
      <Switch>
        <Match when={feed.archive.state() === 'loading'}>Loading older cards…</Match>
        <Match when={feed.archive.state() === 'failed'}>
          <Show when={feed.link().state === 'live'} fallback="Older cards need a connection.">
            Older cards could not be loaded.{' '}
            <LinkButton onClick={() => feed.archive.showNext()}>Try again</LinkButton>
          </Show>
        </Match>
        <Match when={feed.archive.state() === 'complete' && feed.ids().length > 10}>
          This is the beginning of the channel.
        </Match>
      </Switch>
    </div>
  )
}
