// The sidebar: the channels beside the open one's feed. Where there is room for one thing only, the list is the page,
// and a channel opens over it.
import { createEffect, createSignal, For, type JSX, on, Show } from 'solid-js'
import type { ShownChannel } from '../../shared/workspace-live.ts'
import { isAlone, stepTo } from '../ui/arrow-keys.ts'
import { useWorkspace } from '../workspace/workspace-context.ts'
import { Labels } from './labels.tsx'
import { NoMatch } from './no-channels.tsx'
import { Tools } from './tools.tsx'
import { UnreadMark } from './unread-mark.tsx'

/** `alone`: no channel is beside it, and it is the page. */
export function Sidebar(props: { alone: boolean; hidden: boolean }): JSX.Element {
  const { search, choice } = useWorkspace()
  const [stop, setStop] = createSignal<string>()
  let list: HTMLUListElement | undefined
  const links = () => [...(list?.querySelectorAll('a') ?? [])]
  const linkTo = (id: string | undefined) => links().find(link => link.dataset.channel === id)

  /** The one link that Tab leads to. */
  const tabStop = () => {
    const ids = search.channels().map(({ id }) => id)
    return [stop(), choice.id()].find(id => id !== undefined && ids.includes(id)) ?? ids[0]
  }

  createEffect(
    on(choice.id, (id, before) => {
      setStop(id ?? before ?? undefined)
      linkTo(id)?.scrollIntoView({ block: 'nearest' })
      // Back from the channel that lay over the list.
      if (id === undefined && before !== undefined) linkTo(before)?.focus()
    }),
  )

  function onKeyDown(event: KeyboardEvent): void {
    if (!isAlone(event)) return
    const at = links().findIndex(link => link.matches(':focus'))
    const next = stepTo(event.key, at, links().length, ['ArrowDown', 'ArrowUp'])
    if (next === undefined) return
    event.preventDefault()
    links()[next]?.focus()
  }

  return (
    <section
      class="side"
      aria-label="Find a channel"
      hidden={props.hidden}
      role={props.alone ? 'main' : undefined}
    >
      <Tools toList={() => links()[0]?.focus()} />
      <Show when={props.alone && choice.word()}>
        {word => (
          <p class="word" role="status">
            {word()}
          </p>
        )}
      </Show>
      <nav class="side-list" aria-label="Channels">
        <Show when={search.channels().length > 0} fallback={<NoMatch />}>
          <ul ref={list} onKeyDown={onKeyDown}>
            <For each={search.channels()}>
              {channel => (
                <SideLine
                  channel={channel}
                  stop={tabStop() === channel.id}
                  onFocus={() => setStop(channel.id)}
                  onOpen={() => choice.choose(channel.id, props.alone ? 'from-list' : 'open')}
                />
              )}
            </For>
          </ul>
        </Show>
      </nav>
    </section>
  )
}

type LineProps = { channel: ShownChannel; stop: boolean; onFocus: () => void; onOpen: () => void }

function SideLine(props: LineProps): JSX.Element {
  const { view, choice } = useWorkspace()
  const unread = () => view.unread(props.channel.id)

  function open(event: MouseEvent): void {
    // A new tab or window is the browser's.
    if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return
    event.preventDefault()
    props.onOpen()
  }

  return (
    <li>
      <a
        class="side-line"
        classList={{ 'has-unread': unread() > 0 }}
        href={choice.pathTo(props.channel.id)}
        data-channel={props.channel.id}
        aria-current={choice.id() === props.channel.id ? 'page' : undefined}
        tabIndex={props.stop ? 0 : -1}
        title={props.channel.description ?? undefined}
        onFocus={() => props.onFocus()}
        onClick={open}
      >
        <span class="channel-icon" aria-hidden="true">
          {props.channel.icon}
        </span>
        <span class="side-words">
          <span class="side-name" dir="auto" title={props.channel.name}>
            {props.channel.name}
          </span>
          <Labels channel={props.channel} />
        </span>
        <UnreadMark count={unread()} />
      </a>
    </li>
  )
}
