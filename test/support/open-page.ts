// An open workspace page: its socket, the messages, and the resulting state.
import { isDeepStrictEqual } from 'node:util'
import {
  type ChannelActivity,
  type ViewedWorkspace,
  type WorkspaceMessage,
  workspaceMessage,
} from '../../shared/workspace-live.ts'
import { openSocket, until } from './viewer.ts'

export const livePath = (slug: string) => `/live/workspaces/${slug}`

/** Rejects with `Rejected` if the upgrade fails. `cookie`: the Cookie header. It is closed after the test. */
export async function openPage(url: string, slug: string, cookie?: string) {
  const { socket, frames, closed } = await openSocket(url, livePath(slug), cookie ? { Cookie: cookie } : {})
  const parsed: WorkspaceMessage[] = []
  const messages = () => {
    for (const frame of frames.slice(parsed.length)) {
      const sent: unknown = JSON.parse(frame.toString())
      const message = workspaceMessage.parse(sent)
      if (!isDeepStrictEqual(message, sent)) throw new Error('a message has fields that its schema lacks')
      parsed.push(message)
    }
    return parsed
  }
  const ofType = <T extends WorkspaceMessage['type']>(type: T) =>
    messages().filter((message): message is Extract<WorkspaceMessage, { type: T }> => message.type === type)
  /** The last page with the counts that followed it. */
  const shows = (): ViewedWorkspace | undefined => ofType('page').at(-1)?.page
  const activity = (): Record<string, ChannelActivity> =>
    Object.assign({}, ...ofType('activity').map(({ channels }) => channels))
  const opened = {
    socket,
    closed,
    messages,
    ofType,
    shows,
    activity,
    isOpen: () => socket.readyState === socket.OPEN,
    leave: () => socket.terminate(),
    sees: (check: (page: ViewedWorkspace) => boolean, what: string) =>
      until(() => {
        const page = shows()
        return page !== undefined && check(page)
      }, what),
    counts: (channel_id: string, card_count: number) =>
      until(() => activity()[channel_id]?.card_count === card_count, `${card_count} cards are counted`),
  }
  await until(() => frames.length > 1 || !opened.isOpen(), 'the page arrived')
  return opened
}
export type OpenPage = Awaited<ReturnType<typeof openPage>>
