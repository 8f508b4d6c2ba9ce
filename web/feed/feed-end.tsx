// Below the last card: older cards are loading, failed to load, or there are none.
import { Match, Show, Switch } from 'solid-js'
import { useFeed } from '../data/channel/feed-context.ts'

export function FeedEnd() {
  const feed = useFeed()
  return (
    <div class="feed-end">
      <Switch>
        <Match when={feed.archive.state() === 'loading'}>Loading older cards…</Match>
        <Match when={feed.archive.state() === 'failed'}>
          <Show when={feed.link().state === 'live'} fallback="Older cards need a connection.">
            Older cards could not be loaded.{' '}
            <button type="button" class="link" onClick={() => feed.archive.showNext()}>
              Try again
            </button>
          </Show>
        </Match>
        <Match when={feed.archive.state() === 'complete' && feed.ids().length > 10}>
          This is the beginning of the channel.
        </Match>
      </Switch>
    </div>
  )
}
