// Keeps a workspace's page in step with the server: asks for the page, then follows its socket. It sends nothing.
import type { ChannelActivity, WorkspaceMessage, WorkspacePage } from '../../shared/workspace-live.ts'
import { fetchWorkspacePage } from '../data/viewer-requests.ts'
import { makeReconnectLoop, type ReconnectTarget } from '../lib/reconnect-loop.ts'

export type WorkspaceTarget = Pick<ReconnectTarget, 'onLink' | 'onRefused'> & {
  slug: string
  onPage: (page: WorkspacePage) => void
  onActivity: (channels: Record<string, ChannelActivity>) => void
}

/** The server sends something at least every 20 s; after so long a silence the socket is dead. */
const SILENCE_MS = 45_000

export function makeWorkspaceSync({ slug, onLink, onRefused, onPage, onActivity }: WorkspaceTarget) {
  let socket: WebSocket | undefined
  let heardAt = 0
  let silence: ReturnType<typeof setTimeout> | undefined

  const loop = makeReconnectLoop({ connect, disconnect, isHealthy, onLink, onRefused })
  return { stop: loop.stop, heardAt: () => heardAt }

  async function connect(signal: AbortSignal): Promise<void> {
    const page = await fetchWorkspacePage(slug)
    if (signal.aborted) return
    heardAt = Date.now()
    onPage(page)
    const address = `${location.origin}/live/workspaces/${encodeURIComponent(slug)}`
    socket = new WebSocket(address.replace(/^http/, 'ws'))
    socket.addEventListener('message', receive, { signal })
    socket.addEventListener('close', onClose, { signal })
    expectMessage()
  }

  function disconnect(): void {
    clearTimeout(silence)
    socket?.close()
    socket = undefined
  }

  function isHealthy(): boolean {
    return socket?.readyState === WebSocket.OPEN && Date.now() - heardAt <= SILENCE_MS
  }

  function receive(event: MessageEvent<string>): void {
    heardAt = Date.now()
    expectMessage()
    const message: WorkspaceMessage = JSON.parse(event.data)
    if (message.type === 'activity') onActivity(message.channels)
    if (message.type !== 'page') return
    onPage(message.page)
    loop.live()
  }

  function expectMessage(): void {
    clearTimeout(silence)
    silence = setTimeout(loop.reconnect, SILENCE_MS)
  }

  function onClose({ code }: CloseEvent): void {
    clearTimeout(silence)
    socket = undefined
    loop.closed(code)
  }
}
