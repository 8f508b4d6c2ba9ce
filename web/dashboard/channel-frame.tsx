// What the views of one channel share: its name, the way to its feed, and the way between the views.
import { A } from '@solidjs/router'
import { type Accessor, type JSX, Show } from 'solid-js'
import type { ChannelWithActions } from '../../shared/channel.ts'
import { createLoad, Loaded } from '../shell/load.tsx'
import { fetchChannel } from './api.ts'
import { DashboardPage } from './page.tsx'

export type ChannelFrameProps = {
  id: string
  children: (channel: Accessor<ChannelWithActions>, set: (channel: ChannelWithActions) => void) => JSX.Element
}

export function ChannelFrame(props: ChannelFrameProps): JSX.Element {
  const { load, again, set } = createLoad(() => fetchChannel(props.id))
  const known = () => {
    const now = load()
    return now.state === 'ready' ? now.value : undefined
  }
  const views = () => [
    { href: `/dashboard/channels/${props.id}`, name: 'Settings' },
    { href: `/dashboard/channels/${props.id}/log`, name: 'Log' },
  ]
  return (
    <DashboardPage
      title={known()?.name ?? (load().state === 'failed' ? 'Channel' : undefined)}
      icon={known()?.icon}
      crumbs={[{ href: '/', name: 'Channels' }]}
      actions={
        <Show when={known()}>
          <A class="button button-secondary" href={`/c/${props.id}`}>
            Open feed
          </A>
        </Show>
      }
      views={load().state === 'failed' ? undefined : views()}
    >
      <Loaded load={load()} again={again}>
        {channel => props.children(channel, set)}
      </Loaded>
    </DashboardPage>
  )
}
