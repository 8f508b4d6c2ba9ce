// Below the cards: what is loading, where the channel begins, and what a filter has not looked at.

import { createEffect, createSignal, Match, on, Show, Switch } from 'solid-js'
import { useFeed } from '../data/channel/page-feed.ts'
import { isUpToDate } from '../lib/reconnect.ts'
import { Button, LinkButton } from '../ui/button.tsx'
import { IconCheck } from '../ui/icons.tsx'
import { Notice } from '../ui/notice.tsx'
import type { FeedFilter } from './feed-filter.ts'

/** Pages of older cards that a filter looks through by itself. */
const PAGES_MAX = 20

export function FeedEnd(props: { filter: FeedFilter }) {
  const feed = useFeed()
  const name = () => props.filter.filter()
  const isFiltered = () => name() !== 'all'
  const isEmpty = () => isFiltered() && props.filter.ids().length === 0 && feed.ids().length > 0
  const isLoading = () => feed.archive.state() === 'loading'
  const isComplete = () =>
    feed.archive.state() === 'complete' || (name() === 'you' && props.filter.waiting.isComplete())
  const unread = () => (name() === 'you' ? props.filter.waiting.unread() : 0)
  createLookingBack(() => isEmpty() && !isComplete(), name)
  return (
    <>
      <Show when={isEmpty()}>
        <Show
          when={isComplete()}
          fallback={<Notice title={`None in the newest ${feed.ids().length} cards`} heading="h2" />}
        >
          <Notice
            title={name() === 'you' ? 'Nothing needs you' : 'No errors'}
            icon={<IconCheck />}
            heading="h2"
          >
            <Button onClick={() => props.filter.setFilter('all')}>Show all cards</Button>
          </Notice>
        </Show>
      </Show>
      <div class="feed-end">
        <Switch>
          {/* First, so that the button keeps the focus while it loads. */}
          <Match when={isFiltered() && !isComplete() && (isLoading() || feed.archive.state() === 'idle')}>
            {isEmpty() ? '' : `Only the newest ${feed.ids().length} cards were checked. `}
            <LinkButton
              aria-disabled={isLoading() ? 'true' : undefined}
              onClick={() => feed.archive.showNext()}
            >
              {isLoading() ? 'Checking…' : 'Check older cards'}
            </LinkButton>
          </Match>
          <Match when={unread() > 0}>
            {unread()} older {unread() === 1 ? 'card waits' : 'cards wait'} for you.{' '}
            {unread() === 1 ? 'It' : 'They'} will appear once you have decided these.
          </Match>
          <Match when={isLoading()}>Loading older cards…</Match>
          <Match when={feed.archive.state() === 'failed'}>
            <Show when={isUpToDate(feed.link())} fallback="Older cards need a connection.">
              Older cards couldn’t be loaded.{' '}
              <LinkButton onClick={() => feed.archive.showNext()}>Try again</LinkButton>
            </Show>
          </Match>
          <Match when={feed.archive.state() === 'complete' && !isFiltered() && feed.ids().length > 10}>
            This is the beginning of the channel.
          </Match>
        </Switch>
      </div>
    </>
  )
}

/** Loads older cards until the filter has found one. */
function createLookingBack(isWanted: () => boolean, filter: () => string): void {
  const { archive } = useFeed()
  const [pagesLeft, setPagesLeft] = createSignal(PAGES_MAX)
  createEffect(on(filter, () => setPagesLeft(PAGES_MAX)))
  createEffect(
    on([isWanted, archive.state], ([wanted, state]) => {
      if (!wanted || state !== 'idle' || pagesLeft() === 0) return
      setPagesLeft(left => left - 1)
      archive.showNext()
    }),
  )
}
