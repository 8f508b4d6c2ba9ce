// How the page stands with the server where two links matter: the workspace's, and the open channel's. Pure.
import type { Link } from '../lib/reconnect.ts'

const RANKS: Record<Link['state'], number> = {
  refused: 0,
  live: 0,
  connecting: 1,
  reconnecting: 2,
  offline: 3,
}

/**
 * A channel that is being opened, or is refused, says nothing of the page. Nor does any while the page itself comes back:
 * a channel that was never live gives up sooner.
 */
export function worseLink(page: Link, channel: Link | undefined): Link {
  const quiet =
    channel === undefined ||
    channel.state === 'connecting' ||
    page.state === 'reconnecting' ||
    page.state === 'refused'
  return quiet || RANKS[channel.state] <= RANKS[page.state] ? page : channel
}
