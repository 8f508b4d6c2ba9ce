// The ⋯ menu of the open channel. It loads after the cards.
import { lazy, Suspense } from 'solid-js'
import type { ChannelFeed } from '../data/channel/channel-feed.ts'

const LoadedMenu = lazy(() => import('./channel-menu-items.tsx'))

export function ChannelMenu(props: { feed: ChannelFeed }) {
  return (
    <Suspense>
      <LoadedMenu feed={props.feed} />
    </Suspense>
  )
}
