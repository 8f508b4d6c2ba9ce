// The dashboard's navigation: workspaces as a tree, the tools for automations, today's cards and the account. On narrow
// screens it is a drawer that the menu button opens.
import { useLocation } from '@solidjs/router'
import { createEffect, createSignal, type JSX, on, onCleanup, Show } from 'solid-js'
import { ChannelFeedError } from '../../client/errors.ts'
import { knownChannels, knownWorkspaces, type OwnChannels, readWorkspaces } from '../data/own-channels.ts'
import { useSession } from '../data/session.tsx'
import { initialsOf } from '../lib/initials.ts'
import { listen } from '../lib/listen.ts'
import { SearchButton } from '../shell/search-button.tsx'
import { createSignOut } from '../shell/sign-out.ts'
import { newChannelIn } from '../shell/start-path.ts'
import { IconButton } from '../ui/button.tsx'
import { ChannelIcon } from '../ui/channel-name.tsx'
import { Logo } from '../ui/logo.tsx'
import { IconChevron, IconPlus } from '../ui/page-icons.tsx'
import { ThemeToggle } from '../ui/theme-toggle.tsx'
import { CardsToday } from './cards-today.tsx'
import { IconBlocks, IconBook, IconChart, IconFeed, IconKey, IconSignOut } from './nav-icons.tsx'
import { KeyedFor } from './row-list.tsx'
import '../ui/avatar.css'
import './side-nav.css'

export const NAV_ID = 'dashboard-nav'

/** Home follows its channels live; the other pages look again. */
const READ_AGAIN_MS = 20_000

/** By workspace id: whether its channels are visible. Without a choice, those of the open channel are. */
const [branches, setBranches] = createSignal<Record<string, boolean>>({})

/** `title` is that of the page: when it changes, a name in the tree may have changed too. */
export function SideNav(props: { title: string | undefined }): JSX.Element {
  const { user } = useSession()
  let nav: HTMLElement | undefined

  function read(): void {
    const id = user()?.id
    const isShown = props.title !== undefined && document.visibilityState === 'visible'
    if (id !== undefined && isShown) readWorkspaces(id).catch(ignoreOffline)
  }

  createEffect(on([() => user()?.id, () => props.title], read))
  listen(document, 'visibilitychange', read)
  const timer = setInterval(read, READ_AGAIN_MS)
  onCleanup(() => clearInterval(timer))

  /** A link to the open page doesn't replace the drawer. */
  function closeAfterLink(event: MouseEvent): void {
    if (event.target instanceof Element && event.target.closest('a') && nav?.matches(':popover-open'))
      nav.hidePopover()
  }

  function onToggle({ newState }: ToggleEvent): void {
    if (newState === 'open') nav?.querySelector('a')?.focus()
  }

  /** The drawer covers what would get the focus. */
  function closeBehindFocus({ relatedTarget: next }: FocusEvent): void {
    if (next instanceof Element && !nav?.contains(next) && nav?.matches(':popover-open')) nav.hidePopover()
  }

  return (
    <nav
      class="nav"
      id={NAV_ID}
      popover="auto"
      aria-label="Dashboard"
      ref={nav}
      on:click={closeAfterLink}
      on:toggle={onToggle}
      on:focusout={closeBehindFocus}
    >
      <div class="nav-head">
        <a class="nav-name" href="/">
          <Logo size={20} />
          Channel Feed
        </a>
        <SearchButton />
      </div>
      <div class="nav-group">
        <NavItem href="/" icon={<IconFeed />} count={waitingIn(knownChannels(user()?.id))}>
          Channels
        </NavItem>
      </div>
      <WorkspaceTree />
      <SharedWorkspaces />
      <div class="nav-group">
        <p class="nav-label">Automate</p>
        <NavItem href="/dashboard/builder" icon={<IconBlocks />}>
          Card builder
        </NavItem>
        <NavItem href="/dashboard/keys" icon={<IconKey />}>
          API keys
        </NavItem>
        <NavItem href="/docs" icon={<IconBook />}>
          API reference
        </NavItem>
        <NavItem href="/dashboard/usage" icon={<IconChart />}>
          Usage
        </NavItem>
      </div>
      <div class="nav-foot">
        <CardsToday />
        <Me />
      </div>
    </nav>
  )
}

type ItemProps = {
  href: string
  icon: JSX.Element
  count?: number
  children: JSX.Element
}

function NavItem(props: ItemProps): JSX.Element {
  const location = useLocation()
  const here = () => location.pathname === props.href && location.query.workspace === undefined
  return (
    <a class="nav-item" href={props.href} aria-current={here() ? 'page' : undefined}>
      {props.icon}
      {props.children}
      <Show when={props.count}>
        {count => (
          <span class="count count-you">
            {count()}
            <span class="sr-only"> {count() === 1 ? 'needs' : 'need'} you</span>
          </span>
        )}
      </Show>
    </a>
  )
}

function WorkspaceTree(): JSX.Element {
  const { user } = useSession()
  const own = () => knownChannels(user()?.id).map(({ workspace, channels }) => ({ ...workspace, channels }))
  return (
    <div class="nav-group">
      <p class="nav-label" id="nav-workspaces">
        Workspaces
      </p>
      <ul class="tree" aria-labelledby="nav-workspaces">
        <KeyedFor each={own()}>{workspace => <Branch workspace={workspace()} />}</KeyedFor>
      </ul>
      <a class="nav-item nav-new" href="/?new=workspace">
        <IconPlus />
        New workspace
      </a>
    </div>
  )
}

/** Those that the person doesn't run. */
function SharedWorkspaces(): JSX.Element {
  const { user } = useSession()
  const others = () => knownWorkspaces(user()?.id).others
  return (
    <Show when={others().length > 0}>
      <div class="nav-group">
        <p class="nav-label" id="nav-others">
          Shared with you
        </p>
        <ul aria-labelledby="nav-others">
          <KeyedFor each={others()}>
            {workspace => (
              <li>
                <TreeLink href={`/w/${workspace().slug}`} of={workspace()} current={false} />
              </li>
            )}
          </KeyedFor>
        </ul>
      </div>
    </Show>
  )
}

type Named = { id: string; name: string; icon: string }

function Branch(props: { workspace: Named & { channels: Named[] } }): JSX.Element {
  const location = useLocation()
  const list = () => `nav-${props.workspace.id}`
  const openChannel = () => /^\/dashboard\/channels\/([^/]+)/.exec(location.pathname)?.[1]
  const holdsOpenChannel = () => props.workspace.channels.some(({ id }) => id === openChannel())
  const isOpen = () => branches()[props.workspace.id] ?? holdsOpenChannel()
  const isHere = () =>
    location.query.workspace === props.workspace.id ||
    location.pathname === `/dashboard/workspaces/${props.workspace.id}`
  return (
    <li>
      <div class="tree-row">
        <button
          type="button"
          class="tree-toggle"
          aria-expanded={isOpen()}
          aria-controls={list()}
          aria-label={`Channels in ${props.workspace.name}`}
          onClick={() => setBranches({ ...branches(), [props.workspace.id]: !isOpen() })}
        >
          <IconChevron />
        </button>
        <TreeLink href={`/?workspace=${props.workspace.id}`} of={props.workspace} current={isHere()} />
      </div>
      <ul id={list()} hidden={!isOpen()} class="tree-leaves">
        <Show when={isOpen()}>
          <KeyedFor
            each={props.workspace.channels}
            fallback={
              <li>
                <a class="nav-item nav-new" href={newChannelIn(props.workspace.id)}>
                  <IconPlus />
                  New channel
                </a>
              </li>
            }
          >
            {channel => (
              <li>
                <TreeLink
                  href={`/c/${channel().id}`}
                  of={channel()}
                  current={channel().id === openChannel()}
                />
              </li>
            )}
          </KeyedFor>
        </Show>
      </ul>
    </li>
  )
}

function TreeLink(props: { href: string; of: Named; current: boolean }): JSX.Element {
  return (
    <a class="nav-item" href={props.href} aria-current={props.current ? 'true' : undefined}>
      <ChannelIcon icon={props.of.icon} />
      <span class="cut" dir="auto">
        {props.of.name}
      </span>
    </a>
  )
}

function Me(): JSX.Element {
  const { user } = useSession()
  const { signOut, failed } = createSignOut()
  return (
    <Show when={user()}>
      {user => (
        <div class="nav-me">
          <a class="nav-item" href="/dashboard/account" title={user().email}>
            <span class="avatar avatar-me" aria-hidden="true">
              {initialsOf(user().name)}
            </span>
            <span class="cut" dir="auto">
              <span class="sr-only">Account of </span>
              {user().name}
            </span>
          </a>
          <ThemeToggle />
          <IconButton
            aria-label={failed() ? 'Sign-out failed, try again' : 'Sign out'}
            title={failed() ? 'The server can’t be reached' : 'Sign out'}
            onClick={signOut}
          >
            <IconSignOut />
          </IconButton>
        </div>
      )}
    </Show>
  )
}

/** How many channels need the owner, as the tab on home counts them. */
const waitingIn = (own: OwnChannels) =>
  own.flatMap(({ channels }) => channels).filter(({ needs_you }) => needs_you > 0).length

function ignoreOffline(error: unknown): void {
  if (!(error instanceof ChannelFeedError)) throw error
}
