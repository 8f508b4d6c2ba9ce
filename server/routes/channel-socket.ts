// The socket /sync/{channelId}: the channel's document, by cookies or by key.
import type { Sql } from '../database/connect.ts'
import { notFound } from '../errors.ts'
import type { Feeds } from '../feed/feeds.ts'
import { Viewer } from '../feed/viewer.ts'
import { readAccess } from '../model/workspaces.ts'
import { asUuid } from './request.ts'
import type { SocketRoute } from './socket-route.ts'

export function channelSocketRoute({ sql, feeds }: { sql: Sql; feeds: Feeds }): SocketRoute {
  return {
    path: /^\/sync\/([^/]+)\/?$/,
    takes_keys: true,
    async find(name) {
      const channel_id = asUuid(name)
      const place = channel_id === null ? null : await readAccess(sql, { channel_id })
      if (channel_id === null || !place) throw notFound('Channel')
      return {
        id: channel_id,
        place,
        readPlace: () => readAccess(sql, { channel_id }),
        enter: (socket, stream) => feeds.watch(channel_id, audience => new Viewer(socket, stream, audience)),
        // The document is the same for every viewer.
        judged: () => {},
        gone: () => feeds.channelDeleted(channel_id),
      }
    },
  }
}
