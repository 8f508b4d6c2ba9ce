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

export async function readOwnChannels(user: string): Promise<OwnChannels> {
  const own = await fetchChannelsByWorkspace()
  setLastRead({ user, own })
  return own
}
