// The sidebar layout: a list of channels beside the open channel. On a narrow screen the channel covers the list.
import { createEffect, createSignal, For, type JSX, on, Show } from 'solid-js'
import type { PageChannel } from '../../shared/workspace-live.ts'
import { LinkStatus } from '../feed/link-status.tsx'
import { onKey } from '../lib/on-key.ts'
import { SearchButton } from '../shell/search-button.tsx'
import { Account, HomeLink } from '../shell/top-bar.tsx'
import { IconButton } from '../ui/button.tsx'
import { PageName } from '../ui/channel-name.tsx'
import { setOverlay } from '../ui/overlay.ts'
import { IconKeyboard } from '../ui/page-icons.tsx'
import { ThemeToggle } from '../ui/theme-toggle.tsx'
import { useWorkspace } from '../workspace/workspace-context.ts'
import { useChannelNow } from './channel-now.ts'
import { ChannelRow } from './channel-row.tsx'
import { moveFocus } from './list-keys.ts'
import { NoMatch } from './no-channels.tsx'
import { Tools } from './tools.tsx'
import './sidebar.css'

/** `alone`: on a narrow screen without an open channel. On a wide screen, the sidebar replaces the page's top bar. */
export function Sidebar(props: { alone: boolean; hidden: boolean }): JSX.Element {
  const { search, choice, still } = useWorkspace()
  const isWide = () => !props.alone && !props.hidden
  const [focusedId, setFocusedId] = createSignal<string>()
  let list: HTMLUListElement | undefined
  const linkTo = (id = '') => list?.querySelector<HTMLElement>(`[data-channel="${CSS.escape(id)}"]`)

  /** The Tab key reaches only the link of this channel. */
  const tabStop = () => {
    const ids = search.channels().map(({ id }) => id)
    return [focusedId(), choice.id()].find(id => id !== undefined && ids.includes(id)) ?? ids[0]
  }

  createEffect(
    on(choice.id, (id, before) => {
      setFocusedId(id ?? before ?? undefined)
      if (still) return
      linkTo(id)?.scrollIntoView({ block: 'nearest' })
      // The channel is closed, and the list is visible again.
      if (id === undefined && before !== undefined) linkTo(before)?.focus()
    }),
  )

  return (
    <section
      class="side"
      aria-label="Find a channel"
      hidden={props.hidden}
      role={props.alone ? 'main' : undefined}
    >
      <Show when={isWide()}>
        <SideHead />
      </Show>
      <Tools onArrowDown={() => list?.querySelector('a')?.focus()} />
      <Show when={props.alone && choice.message()}>
        {message => (
          <p class="channel-message" role="status">
            {message()}
          </p>
        )}
      </Show>
      <nav class="side-list" aria-label="Channels">
        <Show when={search.channels().length > 0} fallback={<NoMatch />}>
          <ul ref={list} onKeyDown={onKey(moveFocus)}>
            <For each={search.channels()}>
              {channel => (
                <SideLine
                  channel={channel}
                  isTabStop={tabStop() === channel.id}
                  onFocus={setFocusedId}
                  onOpen={id => choice.choose(id, props.alone ? 'from-list' : 'open')}
                />
              )}
            </For>
          </ul>
        </Show>
      </nav>
      <Show when={isWide()}>
        <SideFoot />
      </Show>
    </section>
  )
}

function SideHead(): JSX.Element {
  const { view, page } = useWorkspace()
  return (
    <header class="side-head across">
      <HomeLink />
      <div class="fill">
        <PageName of={page().workspace} />
      </div>
      <LinkStatus link={view.link()} />
      <SearchButton />
    </header>
  )
}

function SideFoot(): JSX.Element {
  return (
    <footer class="side-foot across">
      <Account named />
      <span class="side-tools">
        <ThemeToggle />
        <IconButton
          aria-label="Keyboard shortcuts"
          aria-keyshortcuts="?"
          title="Keyboard shortcuts (?)"
          onClick={() => setOverlay('shortcuts')}
        >
          <IconKeyboard />
        </IconButton>
      </span>
    </footer>
  )
}

function SideLine(props: {
  channel: PageChannel
  isTabStop: boolean
  onFocus: (id: string) => void
  onOpen: (id: string) => void
}): JSX.Element {
  const { choice } = useWorkspace()
  const now = useChannelNow(() => props.channel)

  function open(event: MouseEvent): void {
    // With these keys the browser opens a new tab or window.
    if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return
    event.preventDefault()
    props.onOpen(props.channel.id)
  }

  return (
    <li>
      <a
        class="channel-row side-line"
        classList={{ 'has-unread': now.unread() > 0 }}
        href={choice.pathTo(props.channel.id)}
        data-channel={props.channel.id}
        aria-current={choice.id() === props.channel.id ? 'page' : undefined}
        tabIndex={props.isTabStop ? 0 : -1}
        title={props.channel.description ?? undefined}
        onFocus={() => props.onFocus(props.channel.id)}
        onClick={open}
      >
        <ChannelRow channel={props.channel} now={now} />
      </a>
    </li>
  )
}
