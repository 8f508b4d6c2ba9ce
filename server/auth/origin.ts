// Which pages are our own: PUBLIC_URL's, and the host that the request was sent to.
import type { IncomingHttpHeaders } from 'node:http'

/** True also without an Origin header: such a request is not from a page. */
export function isOwnOrigin(headers: IncomingHttpHeaders, public_url: string): boolean {
  const { origin, host } = headers
  if (origin === undefined) return true
  if (!URL.canParse(origin)) return false
  const url = new URL(origin)
  return url.origin === new URL(public_url).origin || url.host === host
}
