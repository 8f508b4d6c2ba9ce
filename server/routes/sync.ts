// /sync/{channelId}: the channel's document, for whoever may see the channel, by cookies or by key.
import type { Sql } from '../database/connect.ts'
import { notFound } from '../errors.ts'
import type { Feeds } from '../feed/feeds.ts'
import { Viewer } from '../feed/viewer.ts'
import { placeOfChannel } from '../model/channels.ts'
import { asUuid } from './request.ts'
import type { Door } from './upgrades.ts'

export function syncDoor({ sql, feeds }: { sql: Sql; feeds: Feeds }): Door {
  return {
    path: /^\/sync\/([^/]+)\/?$/,
    takes_keys: true,
    async find(name) {
      const channel_id = asUuid(name)
      const place = channel_id === null ? null : await placeOfChannel(sql, channel_id)
      if (channel_id === null || !place) throw notFound('Channel')
      return {
        id: channel_id,
        place,
        readPlace: () => placeOfChannel(sql, channel_id),
        enter: (socket, stream) => feeds.watch(channel_id, audience => new Viewer(socket, stream, audience)),
        // The document is the same for all who may see it.
        judged: () => {},
        gone: () => feeds.channelDeleted(channel_id),
      }
    },
  }
}
