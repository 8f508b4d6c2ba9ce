// The items of the palette: the viewer's own channels and those seen on this device, the pages, and the actions.
import { useLocation } from '@solidjs/router'
import { type Accessor, createEffect, createMemo, createSignal, on } from 'solid-js'
import { ChannelFeedError } from '../../client/errors.ts'
import type { ListedWorkspace } from '../../shared/workspace.ts'
import { NEVER, readJumps, readSeenChannels, type SeenChannel } from '../data/local-copy/channels.ts'
import { knownWorkspaces, type OwnWorkspaces, readWorkspaces } from '../data/own-channels.ts'
import { useSession } from '../data/session.tsx'
import { returnPath, signInPath } from '../lib/return-path.ts'
import { setTheme, THEMES, type Theme, theme } from '../lib/theme.ts'
import { requestConfirmation } from '../ui/confirmation.tsx'
import { setOverlay } from '../ui/overlay.ts'
import { createSignOut } from './sign-out.ts'
import { newChannelIn } from './start-path.ts'

export type PaletteGroup =
  | 'Cards in this channel'
  | 'This channel'
  | 'Channels'
  | 'Workspaces'
  | 'Pages'
  | 'Actions'

export type PaletteItem = {
  id: string
  group: PaletteGroup
  name: string
  icon?: string
  about?: string
  also?: string
  does: { href: string } | { run: () => void }
}

type Named = { id: string; name: string; icon: string }

export function createPaletteItems() {
  const { session, user } = useSession()
  const location = useLocation()
  const signOut = createRepeatedSignOut()
  const userId = () => user()?.id
  const ifSignedIn = (items: PaletteItem[]) => (userId() === undefined ? [] : items)
  const { own, others, link } = createOwnWorkspaces(userId)
  const [seen, setSeen] = createSignal<SeenChannel[]>([])
  const [jumps, setJumps] = createSignal<Record<string, number>>({})
  readSeenChannels().then(setSeen)
  readJumps().then((found = {}) => setJumps(found))

  const channels = createMemo((): PaletteItem[] => {
    const mine = own().flatMap(({ workspace, channels }) =>
      channels.map(channel => channelItem(channel, workspace.name)),
    )
    const ids = new Set(mine.map(({ id }) => id))
    const others = seen().map(({ view }) => channelItem(view.channel))
    return [...mine, ...others.filter(({ id }) => !ids.has(id))]
  })

  const openChannel = () => {
    const [, id] = /^\/(?:c|dashboard\/channels)\/([^/]+)/.exec(location.pathname) ?? []
    return own()
      .flatMap(({ channels }) => channels)
      .find(channel => channel.id === id)
  }

  const items = createMemo((): PaletteItem[] => [
    ...channelPages(openChannel()),
    ...channels(),
    ...own().flatMap(({ workspace }) => [workspaceItem(workspace), settingsItem(workspace)]),
    ...others().map(workspaceItem),
    ...ifSignedIn(OWNER_PAGES),
    ...(session().state === 'signed-out' ? visitorPages(location.pathname + location.search) : []),
    page('/', 'Home', 'channels start'),
    page('/docs', 'API reference', 'docs documentation rest openapi'),
    ...own().map(({ workspace: { id, name } }) =>
      action(`channel-${id}`, `New channel in ${name}`, 'create add', { href: newChannelIn(id) }),
    ),
    ...ifSignedIn(OWNER_ACTIONS),
    ...THEMES.filter(name => name !== theme()).map(themeAction),
    action('shortcuts', 'Keyboard shortcuts', 'keys help', { run: () => setOverlay('shortcuts') }),
    ...ifSignedIn([action('sign-out', 'Sign out', 'log out leave', { run: signOut })]),
  ])

  const recent = createMemo((): Map<string, number> => {
    const visits = seen().filter(({ seen_at }) => seen_at !== NEVER)
    const views = visits.map(({ view, seen_at }): [string, number] => [channelItem(view.channel).id, seen_at])
    return new Map([...views, ...Object.entries(jumps())])
  })

  return {
    items,
    recent,
    isHere: (item: PaletteItem) => 'href' in item.does && item.does.href === location.pathname,
    link,
  }
}

/** While `link` is `offline`, the palette lists only channels seen on this device. */
function createOwnWorkspaces(userId: Accessor<string | undefined>) {
  const [known, setKnown] = createSignal<OwnWorkspaces>(knownWorkspaces(undefined))
  const [link, setLink] = createSignal<'loading' | 'ready' | 'offline'>('ready')
  createEffect(on(userId, load))

  async function load(user: string | undefined): Promise<void> {
    if (user === undefined) return
    setKnown(knownWorkspaces(user))
    setLink('loading')
    try {
      const read = await readWorkspaces(user)
      if (userId() !== user) return
      setKnown(read)
      setLink('ready')
    } catch (error) {
      if (!(error instanceof ChannelFeedError)) throw error
      if (userId() === user) setLink('offline')
    }
  }

  return { own: () => known().own, others: () => known().others, link }
}

/** The palette has closed when signing out fails, so a question reports the failure. */
function createRepeatedSignOut(): () => Promise<void> {
  const { signOut, failed } = createSignOut()
  const again = { question: 'The server can’t be reached. You’re still signed in.', yes: 'Try again' }
  return async () => {
    do await signOut()
    while (failed() && (await requestConfirmation(again)))
  }
}

const THEME_NAMES = { system: 'System theme', light: 'Light theme', dark: 'Dark theme' }

function channelItem({ id, name, icon }: Named, about?: string): PaletteItem {
  return { id: `channel:${id}`, group: 'Channels', name, icon, about, does: { href: `/c/${id}` } }
}

function page(href: string, name: string, also: string, about?: string): PaletteItem {
  return { id: `page:${href}`, group: 'Pages', name, also, about, does: { href } }
}

function action(id: string, name: string, also: string, does: PaletteItem['does']): PaletteItem {
  return { id: `action:${id}`, group: 'Actions', name, also, does }
}

const themeAction = (name: Theme) =>
  action(`theme-${name}`, THEME_NAMES[name], 'theme colours appearance mode toggle', {
    run: () => setTheme(name),
  })

const OWNER_PAGES = [
  page('/dashboard/keys', 'API keys', 'tokens automations'),
  page('/dashboard/usage', 'Usage', 'limits quota'),
  page('/dashboard/builder', 'Card builder', 'blocks try preview'),
  page('/dashboard/account', 'Account', 'password sessions e-mail profile'),
]

const OWNER_ACTIONS = [
  action('workspace', 'New workspace', 'create add', { href: '/?new=workspace' }),
  action('key', 'New API key', 'create add token', { href: '/dashboard/keys?new=key' }),
]

const visitorPages = (from: string) => [
  page(signInPath(returnPath(from)), 'Sign in', 'log in'),
  page('/sign-up', 'Create an account', 'sign up register'),
]

function channelPages(channel: Named | undefined): PaletteItem[] {
  if (!channel) return []
  const settings = `/dashboard/channels/${channel.id}`
  return [
    page(settings, 'Settings of this channel', 'webhook attributes', channel.name),
    page(`${settings}/log`, 'Log of this channel', 'interactions deliveries webhook', channel.name),
  ].map((item): PaletteItem => ({ ...item, group: 'This channel' }))
}

function workspaceItem({ id, name, icon, slug, custom_slug }: ListedWorkspace): PaletteItem {
  const href = custom_slug === null ? `/w/${slug}` : `/w/by-slug/${custom_slug}`
  return { id: `workspace:${id}`, group: 'Workspaces', name, icon, about: 'Workspace', does: { href } }
}

const settingsItem = ({ id, name }: ListedWorkspace) =>
  page(`/dashboard/workspaces/${id}`, `Settings of ${name}`, 'workspace visibility layout people members')
