// The tabs: one for every channel above the open one's feed (ARIA tabs; the arrow keys choose).
import { createEffect, For, type JSX, on } from 'solid-js'
import type { ShownChannel } from '../../shared/workspace-live.ts'
import { isAlone, stepTo } from '../ui/arrow-keys.ts'
import { useWorkspace } from '../workspace/workspace-context.ts'
import { SettingsLink } from './tools.tsx'
import { UnreadMark } from './unread-mark.tsx'

export const PANEL_ID = 'open-channel'
export const tabId = (channelId: string) => `tab-${channelId}`

export function TabBar(): JSX.Element {
  const { page, choice } = useWorkspace()
  let bar: HTMLDivElement | undefined
  const tabOf = (id: string) => bar?.querySelector<HTMLElement>(`#${CSS.escape(tabId(id))}`)

  createEffect(
    on(choice.id, id => {
      if (id !== undefined) tabOf(id)?.scrollIntoView({ block: 'nearest', inline: 'center' })
    }),
  )

  function onKeyDown(event: KeyboardEvent): void {
    if (!isAlone(event)) return
    const { channels } = page()
    const at = channels.findIndex(({ id }) => id === choice.id())
    const next = stepTo(event.key, at, channels.length, ['ArrowRight', 'ArrowLeft'])
    const channel = next === undefined ? undefined : channels[next]
    if (!channel) return
    event.preventDefault()
    choice.choose(channel.id, 'step')
    tabOf(channel.id)?.focus()
  }

  return (
    <nav class="tab-bar" aria-label="Channels of the workspace">
      <div class="tabs" role="tablist" aria-label="Channels" ref={bar} onKeyDown={onKeyDown}>
        <For each={page().channels}>{channel => <Tab channel={channel} />}</For>
      </div>
      <SettingsLink />
    </nav>
  )
}

function Tab(props: { channel: ShownChannel }): JSX.Element {
  const { view, choice } = useWorkspace()
  const chosen = () => choice.id() === props.channel.id
  const unread = () => view.unread(props.channel.id)
  return (
    <button
      type="button"
      class="tab"
      classList={{ 'has-unread': unread() > 0 }}
      role="tab"
      id={tabId(props.channel.id)}
      aria-selected={chosen()}
      aria-controls={PANEL_ID}
      tabIndex={chosen() ? 0 : -1}
      title={props.channel.name}
      onClick={() => choice.choose(props.channel.id)}
    >
      <span class="channel-icon" aria-hidden="true">
        {props.channel.icon}
      </span>
      <span class="tab-name" dir="auto">
        {props.channel.name}
      </span>
      <UnreadMark count={unread()} />
    </button>
  )
}
