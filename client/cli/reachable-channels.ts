// All channels that a key reaches.
import type { ChannelFeed } from '../channel-feed.ts'

/** `workspace`: its name. */
export type ReachableChannel = {
  id: string
  name: string
  mode: string
  card_count: number
  workspace: string
}

export async function reachableChannels(client: ChannelFeed): Promise<ReachableChannel[]> {
  const workspaces = await client.workspaces()
  const lists = await Promise.all(
    workspaces.map(async ({ id, name: workspace }) =>
      (await client.channels(id)).map(channel => ({ ...channel, workspace })),
    ),
  )
  return lists.flat()
}
