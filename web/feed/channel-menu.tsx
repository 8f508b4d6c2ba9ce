// The ⋯ menu of the open channel. It loads once the cards are drawn, because its styles make the browser compute all styles again.
import { Show, Suspense } from 'solid-js'
import type { PageFeed } from '../data/channel/page-feed.ts'
import { optionalPart } from '../lib/optional-part.ts'

const LoadedMenu = optionalPart(() => import('./channel-menu-items.tsx'))

export function ChannelMenu(props: { feed: PageFeed }) {
  return (
    <Show when={props.feed.drawn()}>
      <Suspense>
        <LoadedMenu feed={props.feed} />
      </Suspense>
    </Show>
  )
}
