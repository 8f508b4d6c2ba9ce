// The network address that limits count against. Headers that the client wrote are never trusted.
import type { IncomingMessage } from 'node:http'
import { isIP, isIPv4 } from 'node:net'

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
  if (isIP(bare) === 0 || isIPv4(bare)) return bare
  const groups = ipv6Groups(bare)
  const [high = 0, low = 0] = groups.slice(6)
  const mapped = groups.slice(0, 5).every(group => group === 0) && groups[5] === 0xffff
  if (mapped) return [high >> 8, high & 255, low >> 8, low & 255].join('.')
  return `${groups
    .slice(0, 4)
    .map(group => group.toString(16))
    .join(':')}::/64`
}

/** The eight numbers of an IPv6 address. */
function ipv6Groups(address: string): number[] {
  // URL writes every IPv6 address in one form, an IPv4 tail in hexadecimal.
  const plain = new URL(`http://[${address}]`).hostname.slice(1, -1)
  const [before = [], after] = plain.split('::').map(half => (half === '' ? [] : half.split(':')))
  const gap = after ? Array<string>(8 - before.length - after.length).fill('0') : []
  return [...before, ...gap, ...(after ?? [])].map(group => Number.parseInt(group, 16))
}
