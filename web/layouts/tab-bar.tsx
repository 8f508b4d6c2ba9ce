// The tabs layout: a tab for each channel, above the open channel.
import { createEffect, For, type JSX } from 'solid-js'
import type { PageChannel } from '../../shared/workspace-live.ts'
import { ChannelName } from '../ui/channel-name.tsx'
import { UnreadCount, WaitingTag } from '../ui/channel-summary.tsx'
import { Tab, TabList } from '../ui/tabs.tsx'
import { useWorkspace } from '../workspace/workspace-context.ts'
import { useChannelNow } from './channel-now.ts'
import { SettingsLink } from './tools.tsx'
import './tab-bar.css'

export const PANEL_ID = 'open-channel'
export const tabId = (channelId: string) => `tab-${channelId}`

export function TabBar(): JSX.Element {
  const { page, choice, still } = useWorkspace()
  // Keeps the open channel's tab in view.
  createEffect(() => {
    const id = choice.id()
    if (id === undefined || still) return
    document.getElementById(tabId(id))?.scrollIntoView({ block: 'nearest', inline: 'center' })
  })
  return (
    <nav class="tab-bar across" aria-label="Channels of the workspace">
      <TabList
        class="tabs fill"
        label="Channels"
        names={page().channels.map(({ id }) => id)}
        selected={choice.id()}
        idOf={tabId}
        onStep={id => choice.choose(id, 'step')}
      >
        <For each={page().channels}>{channel => <ChannelTab channel={channel} />}</For>
      </TabList>
      <SettingsLink />
    </nav>
  )
}

function ChannelTab(props: { channel: PageChannel }): JSX.Element {
  const { choice } = useWorkspace()
  const now = useChannelNow(() => props.channel)
  return (
    <Tab
      id={tabId(props.channel.id)}
      classList={{ 'has-unread': now.unread() > 0 }}
      label={now.shortLabel()}
      controls={PANEL_ID}
      selected={choice.id() === props.channel.id}
      title={props.channel.name}
      onSelect={() => choice.choose(props.channel.id)}
    >
      <ChannelName of={props.channel} />
      <WaitingTag count={now.waiting()} you={now.needsYou()} />
      <UnreadCount count={now.unread()} />
    </Tab>
  )
}
