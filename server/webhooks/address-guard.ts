// Decides which addresses a webhook may reach. The check is part of the connection's only DNS lookup, so DNS rebinding
// doesn't get past it.
import { type LookupAddress, type LookupAllOptions, lookup } from 'node:dns'
import { isIP, type LookupFunction } from 'node:net'
import ipaddr from 'ipaddr.js'

export class BlockedAddress extends Error {
  constructor(address: string) {
    super(`blocked address ${address}`)
    this.name = 'BlockedAddress'
  }
}

export type PrivateNetworks = 'allow' | 'deny'
type Address = ipaddr.IPv4 | ipaddr.IPv6

/** Clouds serve a machine's secrets at these addresses and at link-local ones. Never reachable. */
const METADATA = ['100.100.100.200', '168.63.129.16', '192.0.0.192', 'fd00:ec2::254', 'fd20:ce::254']

const ranges = (...subnets: string[]) => subnets.map(subnet => ipaddr.parseCIDR(subnet))

/** IPv6 ranges whose addresses contain an IPv4 address. The first range that matches counts. */
const CARRIERS = {
  none: ranges('::/127'),
  at_end: ranges('::/96', '::ffff:0:0/96', '::ffff:0:0:0/96', '64:ff9b::/96'),
  at_end_of_private: ranges('64:ff9b::/32'),
  after_6to4_prefix: ranges('2002::/16'),
}

export function isReachable(address: string, private_networks: PrivateNetworks): boolean {
  const [plain = ''] = address.replace(/^\[|\]$/g, '').split('%', 1)
  // The library also reads short, octal and hexadecimal forms; a lookup never returns those.
  if (isIP(plain) === 0) return false
  return effectiveAddresses(ipaddr.parse(plain)).every(each => {
    const range = each.range()
    if (range === 'linkLocal' || METADATA.includes(each.toString())) return false
    return private_networks === 'allow' || range === 'unicast'
  })
}

/** The addresses that a packet may reach: this one, the IPv4 address in it, or both. */
function effectiveAddresses(address: Address): Address[] {
  const bytes = address.toByteArray()
  switch (ipaddr.subnetMatch(address, CARRIERS, 'none')) {
    case 'at_end':
      return [new ipaddr.IPv4(bytes.slice(12))]
    case 'at_end_of_private':
      return [address, new ipaddr.IPv4(bytes.slice(12))]
    case 'after_6to4_prefix':
      return [new ipaddr.IPv4(bytes.slice(2, 6))]
    default:
      return [address]
  }
}

export type Resolve = (
  hostname: string,
  options: LookupAllOptions,
  callback: (error: NodeJS.ErrnoException | null, addresses: LookupAddress[]) => void,
) => void

/** A `lookup` for http.request that fails if any address of the name is blocked. */
export function guardedLookup(private_networks: PrivateNetworks, resolve: Resolve = lookup): LookupFunction {
  return (hostname, options, callback) => {
    resolve(hostname, { ...options, all: true }, (error, addresses) => {
      if (error) return callback(error, '', 0)
      const blocked = addresses.find(({ address }) => !isReachable(address, private_networks))
      if (blocked) return callback(new BlockedAddress(blocked.address), '', 0)
      const [first] = addresses
      if (!first) return callback(new Error(`${hostname} has no address`), '', 0)
      if (options.all) return callback(null, addresses)
      callback(null, first.address, first.family)
    })
  }
}
