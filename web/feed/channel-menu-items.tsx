// The menu of the open channel: its pages for those who run it, and for everybody its address and the shortcuts. Beside it,
// those who run the channel find its replies.
import { useLocation } from '@solidjs/router'
import { Show } from 'solid-js'
import type { PageFeed } from '../data/channel/page-feed.ts'
import { nextTheme, setTheme, theme } from '../lib/theme.ts'
import { IconMoon, IconMore } from '../ui/icons.tsx'
import { MenuButton, type MenuItem } from '../ui/menu.tsx'
import { setOverlay } from '../ui/overlay.ts'
import { IconKeyboard, IconLink, IconLog, IconPlus, IconSettings, IconUp } from '../ui/page-icons.tsx'
import { copyAndTell } from './copy-and-tell.ts'
import { channelAddress } from './permalink.ts'
import { RepliesButton } from './replies-button.tsx'

export default function ChannelMenuItems(props: { feed: PageFeed }) {
  const location = useLocation()
  /** Else the workspace stands around the channel. */
  const isOnOwnPage = () => location.pathname.startsWith('/c/')
  const items = (): MenuItem[] => {
    const { id, view } = props.feed
    const canEdit = view()?.can_edit === true
    const workspace = isOnOwnPage() ? view()?.workspace : undefined
    const ways = workspace
      ? [{ name: 'Open workspace', icon: <IconUp />, does: { href: `/w/${workspace.slug}` } }]
      : []
    return [
      ...ways,
      ...(canEdit ? ownerItems(id) : []),
      {
        name: 'Copy link',
        icon: <IconLink />,
        apart: canEdit || ways.length > 0,
        does: { run: () => copyAndTell(channelAddress(id), 'Link') },
      },
      {
        name: `Theme: ${theme()}`,
        icon: <IconMoon />,
        does: { run: () => setTheme(nextTheme(theme())) },
      },
      {
        name: 'Keyboard shortcuts',
        icon: <IconKeyboard />,
        does: { run: () => setOverlay('shortcuts') },
      },
    ]
  }
  return (
    <>
      <Show when={props.feed.view()?.can_edit}>
        <RepliesButton feed={props.feed} />
      </Show>
      <MenuButton label="Channel menu" icon={<IconMore />} items={items()} />
    </>
  )
}

const ownerItems = (id: string): MenuItem[] => [
  {
    name: 'Channel settings',
    icon: <IconSettings />,
    does: { href: `/dashboard/channels/${id}` },
  },
  { name: 'Log', icon: <IconLog />, does: { href: `/dashboard/channels/${id}/log` } },
  { name: 'Create a card', icon: <IconPlus />, does: { href: `/dashboard/builder?channel=${id}` } },
]
