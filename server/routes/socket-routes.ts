// The two WebSocket routes: /sync/{channelId} sends a channel's document, /live/workspaces/{slug} a workspace's page.

import type { Duplex } from 'node:stream'
import type { WebSocket } from 'ws'
import { normalUuid } from '../../shared/text.ts'
import type { WorkspaceAccess } from '../auth/access.ts'
import type { UnreadBytes } from '../auth/unread-bytes.ts'
import type { Sql } from '../database/connect.ts'
import { notFound } from '../errors.ts'
import type { Feeds } from '../feed/feeds.ts'
import { ViewerSocket } from '../feed/viewers/viewers.ts'
import type { Right } from '../live-workspace/live-workspace.ts'
import type { LiveWorkspaces } from '../live-workspace/live-workspaces.ts'
import { readAccess } from '../model/workspaces.ts'

export type SocketRoute = {
  /** The first group is the channel's id or the workspace's slug. */
  path: RegExp
  /** Whether an API key in `?token=` is accepted; cookies always are. */
  takes_keys: boolean
  /** `user_id`: whose role is read; null for nobody's. */
  find(name: string, user_id: string | null): Promise<SocketTarget>
}

export type SocketTarget = {
  /** Of the channel or workspace. */
  id: string
  access: WorkspaceAccess
  /** `receiver`: the user or network address, see unread-bytes.ts. */
  addViewer(socket: WebSocket, stream: Duplex, right: Right, receiver: string): ViewerSocket
  updateRight(viewer: ViewerSocket, right: Right): void
  closeAll(): void
}

export function channelSocketRoute(sql: Sql, feeds: Feeds, unread: UnreadBytes): SocketRoute {
  return {
    path: /^\/sync\/([^/]+)\/?$/,
    takes_keys: true,
    async find(name, user_id) {
      const channel_id = normalUuid(name)
      const access = channel_id === null ? null : await readAccess(sql, { channel_id }, user_id)
      if (channel_id === null || !access) throw notFound('Channel')
      return {
        id: channel_id,
        access,
        addViewer(socket, stream, _, receiver) {
          const countUnread = (part: object, bytes: number) => unread.take(receiver, part, bytes)
          return feeds.watch(channel_id, audience => new ViewerSocket(socket, stream, audience, countUnread))
        },
        // The document is the same for every viewer.
        updateRight: () => {},
        closeAll: () => feeds.channelDeleted(channel_id),
      }
    },
  }
}

/** The socket belongs to the workspace: it stays open if its slug is removed. */
export function workspaceSocketRoute(sql: Sql, workspaces: LiveWorkspaces): SocketRoute {
  return {
    path: /^\/live\/workspaces\/([^/]+)\/?$/,
    takes_keys: false,
    async find(slug, user_id) {
      const access = await readAccess(sql, { slug }, user_id)
      if (!access) throw notFound('Workspace')
      const { workspace_id } = access
      return {
        id: workspace_id,
        access,
        addViewer: (socket, stream, right) =>
          workspaces.watch(workspace_id, right, audience => new ViewerSocket(socket, stream, audience)),
        updateRight: (viewer, right) => workspaces.setRight(workspace_id, viewer, right),
        closeAll: () => workspaces.deleted(workspace_id),
      }
    },
  }
}
