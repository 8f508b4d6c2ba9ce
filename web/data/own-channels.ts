// The signed-in user's workspaces, as last read in this tab: for home, the navigation and the palette.
import { createSignal } from 'solid-js'
import { dropLostRoles } from './local-copy/drop.ts'
import { fetchWorkspaces } from './owner-requests.ts'

export type OwnWorkspaces = Awaited<ReturnType<typeof fetchWorkspaces>>
/** Those that the person runs, with their channels. */
export type OwnChannels = OwnWorkspaces['own']

const NONE: OwnWorkspaces = { own: [], others: [] }

const [lastRead, setLastRead] = createSignal<{ user: string; known: OwnWorkspaces }>()

/** Empty until they were read for this user. */
export function knownWorkspaces(user: string | undefined): OwnWorkspaces {
  const last = lastRead()
  return last && last.user === user ? last.known : NONE
}

export const knownChannels = (user: string | undefined) => knownWorkspaces(user).own

/** What a page saw live. */
export function updateKnownChannels(channels: OwnChannels[number]['channels']): void {
  const now = new Map(channels.map(channel => [channel.id, channel]))
  setLastRead(last => {
    if (!last) return last
    const own = last.known.own.map(part => ({
      ...part,
      channels: part.channels.map(old => now.get(old.id) ?? old),
    }))
    return { ...last, known: { ...last.known, own } }
  })
}

export async function readWorkspaces(user: string): Promise<OwnWorkspaces> {
  const known = await fetchWorkspaces()
  setLastRead({ user, known })
  dropLostRoles([...known.own.map(({ workspace }) => workspace.id), ...known.others.map(({ id }) => id)])
  return known
}
