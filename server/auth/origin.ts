// Recognises requests of our own pages: those of PUBLIC_URL and of the host that the request was sent to.
import type { IncomingHttpHeaders } from 'node:http'

/** Also true without an Origin header, because then the request doesn't come from a page. */
export function isOwnOrigin(headers: IncomingHttpHeaders, public_url: string): boolean {
  const { origin, host } = headers
  if (origin === undefined) return true
  if (!URL.canParse(origin)) return false
  const url = new URL(origin)
  return url.origin === new URL(public_url).origin || url.host === host
}
