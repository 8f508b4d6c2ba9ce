// What the tools of a connection work with, and what they have in common: the channel, refusals, and results.
import type { CallToolResult, ServerContext } from '@modelcontextprotocol/server'
import { z } from 'zod'
import type { ChannelHandle } from '../channel.ts'
import type { ChannelFeed } from '../channel-feed.ts'
import { AuthError, ChannelFeedError } from '../errors.ts'
import { listReachable } from './channel-list.ts'

export type ToolContext = {
  client: ChannelFeed
  /** The channel of calls that name none. Without it, the only one that the key reaches. */
  channel?: string | undefined
  /** Ends waits early: they answer with the question as it is. */
  stop?: AbortSignal
  /** Gets what a caller can't have caused. */
  failed: (error: unknown) => void
}

/** Its message is for the model. */
export class ToolRefusal extends Error {
  override name = 'ToolRefusal'
}

export const channelInput = z
  .string()
  .optional()
  .describe('The id of a channel. Needed only if the key reaches several; list_channels has the ids.')

/** How many channels the refusal names. */
const NAMED_MAX = 20

export async function chosenChannel(
  { client, channel }: ToolContext,
  named: string | undefined,
): Promise<ChannelHandle> {
  const id = named || channel
  if (id) return client.channel(id)
  const reachable = await listReachable(client, { max: NAMED_MAX + 1 })
  const [only, ...others] = reachable
  if (!only) throw new ToolRefusal('This API key reaches no channel')
  if (others.length === 0) return client.channel(only.id)
  const all = reachable.length <= NAMED_MAX
  const names = reachable.slice(0, NAMED_MAX).map(({ name, id }) => `${name}: ${id}`)
  const count = all ? `${names.length} channels` : `more than ${NAMED_MAX} channels, among them`
  throw new ToolRefusal(`channel is required: this API key reaches ${count}\n${names.join('\n')}`)
}

/** Runs `work`, which needs the right to write in the channel. */
export async function asWriter<T>(feed: ChannelHandle, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    const denied = error instanceof AuthError && error.code === 'access_denied'
    if (denied && (await canRead(feed))) throw new ToolRefusal('This API key may only read')
    throw error
  }
}

const canRead = (feed: ChannelHandle) =>
  feed.get().then(
    () => true,
    () => false,
  )

/** The result of a tool, or the refusal with the service's own message. */
export async function resultOf<T extends object>(
  { failed }: ToolContext,
  { mcpReq }: ServerContext,
  work: () => Promise<T>,
): Promise<CallToolResult> {
  try {
    const structuredContent = { ...(await work()) }
    return { structuredContent, content: [{ type: 'text', text: JSON.stringify(structuredContent) }] }
  } catch (error) {
    return { isError: true, content: [{ type: 'text', text: refusalMessage(error, failed, mcpReq.signal) }] }
  }
}

/** Nobody reads the message if the caller has left. */
export function refusalMessage(error: unknown, failed: ToolContext['failed'], signal: AbortSignal): string {
  if (error instanceof ChannelFeedError || error instanceof ToolRefusal) return error.message
  if (!signal.aborted) failed(error)
  return 'Internal error'
}
