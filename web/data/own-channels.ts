// The signed-in user's workspaces with their channels, as last read in this tab: for the navigation and the palette.
import { createSignal } from 'solid-js'
import { fetchChannelsByWorkspace } from './owner-requests.ts'

export type OwnChannels = Awaited<ReturnType<typeof fetchChannelsByWorkspace>>

const [lastRead, setLastRead] = createSignal<{ user: string; own: OwnChannels }>()

/** Empty until they were read for this user. */
export function knownChannels(user: string | undefined): OwnChannels {
  const known = lastRead()
  return known && known.user === user ? known.own : []
}

/** What a page saw live. */
export function updateKnownChannels(channels: OwnChannels[number]['channels']): void {
  const now = new Map(channels.map(channel => [channel.id, channel]))
  setLastRead(
    known =>
      known && {
        ...known,
        own: known.own.map(part => ({ ...part, channels: part.channels.map(old => now.get(old.id) ?? old) })),
      },
  )
}

export async function readOwnChannels(user: string): Promise<OwnChannels> {
  const own = await fetchChannelsByWorkspace()
  setLastRead({ user, own })
  return own
}
