// Keeps a workspace's page in step with the server: asks for the page, then follows its socket. It sends nothing.
import type { ChannelActivity, ViewedWorkspace, WorkspaceMessage } from '../../shared/workspace-live.ts'
import { fetchChangedWorkspacePage } from '../data/viewer-requests.ts'
import { makeReconnectLoop, READ_PAUSE_MS, type ReconnectTarget } from '../lib/reconnect-loop.ts'

export type WorkspaceTarget = Pick<ReconnectTarget, 'onLink' | 'onRefused'> & {
  slug: string
  onPage: (page: ViewedWorkspace) => void
  onActivity: (channels: Record<string, ChannelActivity>) => void
}

/** The server sends something at least every 20 s; after so long a silence the socket is dead. */
const SILENCE_MS = 45_000

export function makeWorkspaceSync({ slug, onLink, onRefused, onPage, onActivity }: WorkspaceTarget) {
  let socket: WebSocket | undefined
  let heardAt = 0
  let etag: string | null = null
  let readAt = 0
  let silence: ReturnType<typeof setTimeout> | undefined

  const loop = makeReconnectLoop({ connect, disconnect, isHealthy, onLink, onRefused })
  return { stop: loop.stop, heardAt: () => heardAt }

  async function connect(signal: AbortSignal, mustRead: boolean): Promise<void> {
    // A socket that failed may have been refused, so the first attempt after it reads at once.
    if (!mustRead || Date.now() - readAt >= READ_PAUSE_MS) await readPage(signal)
    if (signal.aborted) return
    const address = `${location.origin}/live/workspaces/${encodeURIComponent(slug)}`
    socket = new WebSocket(address.replace(/^http/, 'ws'))
    socket.addEventListener('message', receive, { signal })
    socket.addEventListener('close', onClose, { signal })
    expectMessage()
  }

  async function readPage(signal: AbortSignal): Promise<void> {
    const fetched = await fetchChangedWorkspacePage(slug, etag)
    if (signal.aborted) return
    heardAt = readAt = Date.now()
    if (!fetched) return
    etag = fetched.etag
    onPage(fetched.page)
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
    // It may be newer than what was read over HTTP.
    etag = null
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
