// What the palette leads to: the channels that are the viewer's or were seen on this device, the pages, and what can
// be done. It only lists; the palette finds and goes.
import { useLocation } from '@solidjs/router'
import { createEffect, createMemo, createSignal, on } from 'solid-js'
import { ChannelFeedError } from '../../client/errors.ts'
import type { ListedChannel } from '../../shared/channel.ts'
import type { Workspace } from '../../shared/workspace.ts'
import { readJumps, readSeenChannels, type SeenChannel } from '../data/local-copy/channels.ts'
import { fetchChannelsByWorkspace } from '../data/owner-client.ts'
import { useSession } from '../data/session.tsx'
import { returnPath, signInPath } from '../lib/return-path.ts'
import { setTheme, THEMES, theme } from '../lib/theme.ts'
import { ask } from '../ui/ask.tsx'
import { setOverlay } from '../ui/palette-open.ts'
import { createSignOut } from './sign-out.ts'

export type PaletteGroup = 'This channel' | 'Channels' | 'Workspaces' | 'Pages' | 'Actions'

export type PaletteItem = {
  id: string
  group: PaletteGroup
  name: string
  icon?: string
  /** Tells it from others of the same name. */
  about?: string
  /** Other words that find it. */
  also?: string
  does: { href: string; external?: boolean } | { run: () => void }
}

type OwnWorkspace = Pick<Workspace, 'id' | 'name' | 'slug' | 'custom_slug' | 'icon'>
type OwnChannel = Pick<ListedChannel, 'id' | 'name' | 'icon'> & { workspace: string }
type Own = { workspaces: OwnWorkspace[]; channels: OwnChannel[] }

const NOTHING: Own = { workspaces: [], channels: [] }

/** What was last known shows at once the next time. */
let lastKnown: { user: string; own: Own } | undefined

export function createPaletteItems() {
  const { session } = useSession()
  const location = useLocation()
  const { signOut, failed } = createSignOut()
  const user = () => {
    const now = session()
    return now.state === 'signed-in' ? now.user.id : undefined
  }
  const [seen, setSeen] = createSignal<SeenChannel[]>([])
  const [jumps, setJumps] = createSignal<Record<string, number>>({})
  const [own, setOwn] = createSignal<Own>(NOTHING)
  const [link, setLink] = createSignal<'loading' | 'ready' | 'offline'>('ready')

  readSeenChannels().then(setSeen)
  readJumps().then(found => setJumps(found ?? {}))
  createEffect(on(user, load))

  async function load(id: string | undefined): Promise<void> {
    if (id === undefined) return
    setOwn(lastKnown?.user === id ? lastKnown.own : NOTHING)
    setLink('loading')
    const fetched = await fetchOwn(id)
    if (user() !== id) return
    if (fetched) setOwn(fetched)
    setLink(fetched ? 'ready' : 'offline')
  }

  async function leave(): Promise<void> {
    const again = { question: 'The server cannot be reached: you are still signed in.', yes: 'Try again' }
    do await signOut()
    while (failed() && (await ask({ ...again, danger: false })))
  }

  const channels = createMemo((): PaletteItem[] => {
    const mine = own().channels.map(channel => channelItem(channel, channel.workspace))
    const ids = new Set(mine.map(({ id }) => id))
    const others = seen().map(({ view }) => channelItem(view.channel, undefined))
    return [...mine, ...others.filter(({ id }) => !ids.has(id))]
  })

  /** The channel that is open here, where it is the viewer's own. */
  const here = () => {
    const [, id] = /^\/(?:c|dashboard\/channels)\/([^/]+)/.exec(location.pathname) ?? []
    return own().channels.find(channel => channel.id === id)
  }

  const items = createMemo((): PaletteItem[] => [
    ...channelPages(here()),
    ...channels(),
    ...own().workspaces.flatMap(workspaceItems),
    ...(user() === undefined ? [] : OWNER_PAGES),
    ...(session().state === 'signed-out' ? guestPages(location.pathname + location.search) : []),
    page('/', 'Home', 'channels start'),
    { ...page('/api/v1/docs', 'API reference', 'docs documentation rest openapi'), does: DOCS },
    ...own().workspaces.map(newChannel),
    ...(user() === undefined ? [] : OWNER_ACTIONS),
    ...THEMES.filter(name => name !== theme()).map(name =>
      action(`theme-${name}`, THEME_WORDS[name], 'theme colours appearance mode toggle', () =>
        setTheme(name),
      ),
    ),
    action('shortcuts', 'Keyboard shortcuts', 'keys help', () => setOverlay('shortcuts')),
    ...(user() === undefined ? [] : [action('sign-out', 'Sign out', 'log out leave', leave)]),
  ])

  /** When each was last jumped to or seen (ms). */
  const recent = createMemo((): Map<string, number> => {
    const views = seen().map(({ view, seen_at }): [string, number] => [channelId(view.channel.id), seen_at])
    return new Map([...views, ...Object.entries(jumps())])
  })

  return {
    items,
    recent,
    /** What stands here now, and need not be offered first. */
    isHere: (item: PaletteItem) => 'href' in item.does && item.does.href === location.pathname,
    /** `offline`: only what is on this device could be had. */
    link,
  }
}

const DOCS = { href: '/api/v1/docs', external: true }
const THEME_WORDS = { system: 'Theme as the system', light: 'Light theme', dark: 'Dark theme' }

const channelId = (id: string) => `channel:${id}`

function channelItem(channel: Pick<OwnChannel, 'id' | 'name' | 'icon'>, workspace?: string): PaletteItem {
  const { id, name, icon } = channel
  return { id: channelId(id), group: 'Channels', name, icon, about: workspace, does: { href: `/c/${id}` } }
}

function page(href: string, name: string, also: string, about?: string): PaletteItem {
  return { id: `page:${href}`, group: 'Pages', name, also, about, does: { href } }
}

function action(name: string, words: string, also: string, run: () => void): PaletteItem {
  return { id: `action:${name}`, group: 'Actions', name: words, also, does: { run } }
}

const OWNER_PAGES = [
  page('/dashboard/keys', 'API keys', 'tokens automations'),
  page('/dashboard/usage', 'Usage', 'limits quota'),
  page('/dashboard/builder', 'Card builder', 'blocks try preview'),
  page('/dashboard/account', 'Account', 'password sessions e-mail profile'),
]

const OWNER_ACTIONS: PaletteItem[] = [
  { ...action('workspace', 'New workspace', 'create add', () => {}), does: { href: '/?new=workspace' } },
  {
    ...action('key', 'New API key', 'create add token', () => {}),
    does: { href: '/dashboard/keys?new=key' },
  },
]

const guestPages = (from: string) => [
  page(signInPath(returnPath(from)), 'Sign in', 'log in'),
  page('/sign-up', 'Create an account', 'sign up register'),
]

function channelPages(channel: OwnChannel | undefined): PaletteItem[] {
  if (!channel) return []
  const settings = `/dashboard/channels/${channel.id}`
  return [
    page(settings, 'Settings of this channel', 'webhook attributes', channel.name),
    page(`${settings}/log`, 'Log of this channel', 'interactions deliveries webhook', channel.name),
  ].map((item): PaletteItem => ({ ...item, group: 'This channel' }))
}

function workspaceItems({ id, name, icon, slug, custom_slug }: OwnWorkspace): PaletteItem[] {
  const href = custom_slug === null ? `/w/${slug}` : `/w/by-slug/${custom_slug}`
  const settings = page(`/dashboard/workspaces/${id}`, `Settings of ${name}`, 'workspace visibility layout')
  return [
    { id: `workspace:${id}`, group: 'Workspaces', name, icon, about: 'Workspace', does: { href } },
    settings,
  ]
}

function newChannel({ id, name }: OwnWorkspace): PaletteItem {
  const item = action(`channel-${id}`, `New channel in ${name}`, 'create add', () => {})
  return { ...item, does: { href: `/?new=channel-${id}` } }
}

/** Null where the server cannot be reached. */
async function fetchOwn(user: string): Promise<Own | null> {
  try {
    const all = await fetchChannelsByWorkspace()
    const own = {
      workspaces: all.map(({ workspace }) => workspace),
      channels: all.flatMap(({ workspace, channels }) =>
        channels.map(channel => ({ ...channel, workspace: workspace.name })),
      ),
    }
    lastKnown = { user, own }
    return own
  } catch (error) {
    if (!(error instanceof ChannelFeedError)) throw error
    return null
  }
}
