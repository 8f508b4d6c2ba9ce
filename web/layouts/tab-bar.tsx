// The tabs layout: a tab for each channel, above the open channel. If they don't fit, a menu lists all channels.
import { createEffect, createSignal, For, type JSX, on, onCleanup, onMount, Show } from 'solid-js'
import type { PageChannel } from '../../shared/workspace-live.ts'
import { ChannelIcon, ChannelName } from '../ui/channel-name.tsx'
import { UnreadCount, WaitingTag } from '../ui/channel-summary.tsx'
import { MenuButton } from '../ui/menu.tsx'
import { IconChevron } from '../ui/page-icons.tsx'
import { Tab, TabList } from '../ui/tabs.tsx'
import { useWorkspace } from '../workspace/workspace-context.ts'
import { useChannelNow } from './channel-now.ts'
import { SettingsLink } from './tools.tsx'
import './tab-bar.css'

export const PANEL_ID = 'open-channel'
export const tabId = (channelId: string) => `tab-${channelId}`

export function TabBar(): JSX.Element {
  const { page, choice, still } = useWorkspace()
  const [hidden, setHidden] = createSignal({ before: false, after: false })
  let bar: HTMLElement | undefined
  const tabs = () => bar?.querySelector('.tabs')

  function look(): void {
    const list = tabs()
    if (!list) return
    // Negative where text runs from right to left.
    const before = Math.abs(list.scrollLeft)
    setHidden({ before: before > 1, after: list.scrollWidth - list.clientWidth - before > 1 })
  }

  // Keeps the open channel's tab in view.
  createEffect(() => {
    const id = choice.id()
    if (id === undefined || still) return
    document.getElementById(tabId(id))?.scrollIntoView({ block: 'nearest', inline: 'center' })
  })
  const watch = new ResizeObserver(look)
  onCleanup(() => watch.disconnect())
  onMount(() => {
    const list = tabs()
    if (!list) return
    watch.observe(list)
    list.addEventListener('scroll', look)
  })
  createEffect(on(() => page().channels.map(({ name }) => name), look))

  return (
    <nav
      class="tab-bar across"
      classList={{ 'tabs-before': hidden().before, 'tabs-after': hidden().after }}
      aria-label="Channels of the workspace"
      ref={bar}
    >
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
      <Show when={hidden().before || hidden().after}>
        <MenuButton
          label="All channels"
          icon={<IconChevron />}
          items={page().channels.map(({ id, icon, name }) => ({
            name,
            icon: <ChannelIcon icon={icon} />,
            does: { run: () => choice.choose(id) },
          }))}
        />
      </Show>
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
      <WaitingTag of={now.summary()} />
      <UnreadCount count={now.unread()} />
    </Tab>
  )
}
