// The socket /live/workspaces/{slug}: a workspace's page as it changes, by cookies alone.
// It stays open if the slug that it was opened with is removed: it belongs to the workspace.
import type { Sql } from '../database/connect.ts'
import { notFound } from '../errors.ts'
import { Viewer } from '../feed/viewer.ts'
import type { LiveWorkspaces } from '../live-workspace/live-workspaces.ts'
import { readAccess } from '../model/workspaces.ts'
import type { SocketRoute } from './socket-route.ts'

export function workspaceSocketRoute({
  sql,
  workspaces,
}: {
  sql: Sql
  workspaces: LiveWorkspaces
}): SocketRoute {
  return {
    path: /^\/live\/workspaces\/([^/]+)\/?$/,
    takes_keys: false,
    async find(slug) {
      const place = await readAccess(sql, { slug })
      if (!place) throw notFound('Workspace')
      const { workspace_id } = place
      return {
        id: workspace_id,
        place,
        readPlace: () => readAccess(sql, { workspace_id }),
        enter: (socket, stream, right) =>
          workspaces.watch(workspace_id, right, audience => new Viewer(socket, stream, audience)),
        judged: (viewer, right) => workspaces.setRight(workspace_id, viewer, right),
        gone: () => workspaces.deleted(workspace_id),
      }
    },
  }
}
