// Below the cards: what is loading, where the channel begins, and what a filter has not looked at.

import { Match, Show, Switch } from 'solid-js'
import { useFeed } from '../data/channel/page-feed.ts'
import { isUpToDate } from '../lib/reconnect.ts'
import { Button, LinkButton } from '../ui/button.tsx'
import { IconCheck } from '../ui/icons.tsx'
import { Notice } from '../ui/notice.tsx'
import type { FeedFilter } from './feed-filter.ts'

export function FeedEnd(props: { filter: FeedFilter }) {
  const feed = useFeed()
  const isFiltered = () => props.filter.filter() !== 'all'
  const isLoading = () => feed.archive.state() === 'loading'
  return (
    <>
      <Show when={isFiltered() && props.filter.ids().length === 0 && feed.ids().length > 0}>
        <Notice
          title={props.filter.filter() === 'you' ? 'Nothing needs you' : 'No errors'}
          icon={<IconCheck />}
          heading="h2"
        >
          <Button onClick={() => props.filter.setFilter('all')}>Show all cards</Button>
        </Notice>
      </Show>
      <div class="feed-end">
        <Switch>
          {/* First, so that the button keeps the focus while it loads. */}
          <Match when={isFiltered() && (isLoading() || feed.archive.state() === 'idle')}>
            Only the newest {feed.ids().length} cards were checked.{' '}
            <LinkButton
              aria-disabled={isLoading() ? 'true' : undefined}
              onClick={() => feed.archive.showNext()}
            >
              {isLoading() ? 'Checking…' : 'Check older cards'}
            </LinkButton>
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
