// The connection status of a page with two connections: the workspace's and the open channel's. Pure.
import type { Link } from '../lib/reconnect.ts'

const SEVERITY = { refused: 0, live: 0, connecting: 1, reconnecting: 2, blocked: 3, offline: 4 }

/** The worse of the two. While the page reconnects, the channel doesn't count: if it was never live, it gives up sooner. */
export function combineLinks(page: Link, channel: Link | undefined): Link {
  const ignored =
    channel === undefined ||
    channel.state === 'connecting' ||
    page.state === 'reconnecting' ||
    page.state === 'refused'
  return ignored || SEVERITY[channel.state] <= SEVERITY[page.state] ? page : channel
}
