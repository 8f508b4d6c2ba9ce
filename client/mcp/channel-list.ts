// The channels that an API key reaches.
import { z } from 'zod'
import type { ChannelFeed } from '../channel-feed.ts'

export const toolChannel = z.object({
  id: z.string(),
  name: z.string(),
  description: z.string().nullable(),
  mode: z.string().describe('Only in an `interactive` channel can people press buttons.'),
  workspace_id: z.string(),
  workspace: z.string(),
})
export type ToolChannel = z.output<typeof toolChannel>

/** Reads one workspace after the other, until there are `max` channels. `workspace_id`: only those of one workspace. */
export async function listReachable(
  client: ChannelFeed,
  { max = Number.POSITIVE_INFINITY, workspace_id }: { max?: number; workspace_id?: string | undefined },
): Promise<ToolChannel[]> {
  const reached = await client.workspaces()
  const chosen = reached.filter(({ id }) => workspace_id === undefined || id === workspace_id)
  // Throws the service's reason.
  if (workspace_id !== undefined && chosen.length === 0) await client.channels(workspace_id)
  const found: ToolChannel[] = []
  for (const { id, name: workspace } of chosen) {
    if (found.length >= max) break
    for (const { id: channel_id, name, description, mode } of await client.channels(id))
      found.push({ id: channel_id, name, description, mode, workspace_id: id, workspace })
  }
  return found.slice(0, max)
}
