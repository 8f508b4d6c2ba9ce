// The network address that limits count against. Headers that the client wrote are never trusted.
import type { IncomingMessage } from 'node:http'
import { isIP } from 'node:net'
import ipaddr from 'ipaddr.js'

/**
 * The socket's address; behind a trusted proxy the last `X-Forwarded-For` entry, which the proxy added.
 * An IPv6 address is cut to its /64, the smallest network that one customer gets.
 */
export function clientAddress(incoming: IncomingMessage, trust_proxy: boolean): string {
  const forwarded = trust_proxy ? lastForwarded(incoming.headers['x-forwarded-for']) : null
  return network(forwarded ?? incoming.socket.remoteAddress ?? 'local')
}

function lastForwarded(header: string | string[] | undefined): string | null {
  const last = [header].flat().join(',').split(',').at(-1)?.trim() ?? ''
  // Some proxies add the port: 192.0.2.1:4711, [2001:db8::1]:4711.
  const address = /^\[([^\]]+)\](?::\d+)?$/.exec(last)?.[1] ?? /^([\d.]+):\d+$/.exec(last)?.[1] ?? last
  return isIP(address) === 0 ? null : address
}

function network(address: string): string {
  const [bare = ''] = address.split('%', 1)
  if (isIP(bare) === 0) return bare
  const parsed = ipaddr.process(bare)
  if (parsed instanceof ipaddr.IPv4) return parsed.toString()
  const prefix = parsed.parts.slice(0, 4).map(part => part.toString(16))
  return `${prefix.join(':')}::/64`
}
