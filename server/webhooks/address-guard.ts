// Which addresses a webhook may reach. The check happens when the connection is made, so a name that resolves to another
// address the second time gains nothing.
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

const ranges = (...subnets: string[]) => subnets.map(subnet => ipaddr.parseCIDR(subnet))

const KINDS = {
  /** Link-local, and other addresses at which clouds serve a machine its secrets. */
  never: ranges(
    '169.254.0.0/16',
    '100.100.100.200/32',
    '168.63.129.16/32',
    '192.0.0.192/32',
    'fe80::/10',
    'fd00:ec2::254/128',
    'fd20:ce::254/128',
  ),
  /** Loopback, private and special addresses (IANA special-purpose registries). */
  private: ranges(
    '0.0.0.0/8',
    '10.0.0.0/8',
    '100.64.0.0/10',
    '127.0.0.0/8',
    '172.16.0.0/12',
    '192.0.0.0/24',
    '192.0.2.0/24',
    '192.88.99.0/24',
    '192.168.0.0/16',
    '198.18.0.0/15',
    '198.51.100.0/24',
    '203.0.113.0/24',
    '224.0.0.0/4',
    '240.0.0.0/4',
    '::/127',
    '64:ff9b:1::/48',
    '100::/64',
    '2001::/23',
    '2001:db8::/32',
    '3fff::/20',
    '5f00::/16',
    'fc00::/7',
    'fec0::/10',
    'ff00::/8',
  ),
}

/** IPv6 ranges whose addresses carry an IPv4 address, which counts too. */
const CARRIERS = {
  none: ranges('::/127'),
  /** Compatible, mapped and translated addresses: only the IPv4 address counts. */
  ipv4: ranges('::/96', '::ffff:0:0/96', '::ffff:0:0:0/96'),
  nat64: ranges('64:ff9b::/32'),
  sixToFour: ranges('2002::/16'),
}

/** Whether a connection may go to this address. `private_networks`: whether loopback and private addresses are allowed. */
export function isReachable(address: string, private_networks: PrivateNetworks): boolean {
  const [plain = ''] = address.replace(/^\[|\]$/g, '').split('%', 1)
  // The library also reads short, octal and hexadecimal forms; a lookup never returns those.
  if (isIP(plain) === 0) return false
  return addressesIn(ipaddr.parse(plain)).every(each => {
    const kind = ipaddr.subnetMatch(each, KINDS, 'public')
    return kind === 'public' || (kind === 'private' && private_networks === 'allow')
  })
}

/** The address, and the IPv4 address that it carries. */
function addressesIn(address: Address): Address[] {
  const bytes = address.toByteArray()
  switch (ipaddr.subnetMatch(address, CARRIERS, 'none')) {
    case 'ipv4':
      return [new ipaddr.IPv4(bytes.slice(12))]
    case 'nat64':
      return [address, new ipaddr.IPv4(bytes.slice(12))]
    case 'sixToFour':
      return [address, new ipaddr.IPv4(bytes.slice(2, 6))]
    default:
      return [address]
  }
}

/** Finds all addresses of a name. */
export type Resolve = (
  hostname: string,
  options: LookupAllOptions,
  callback: (error: NodeJS.ErrnoException | null, addresses: LookupAddress[]) => void,
) => void

/**
 * For http.request: resolves a name, and fails if any of its addresses is blocked. The connection goes to the addresses
 * that were checked: the name isn't resolved a second time.
 */
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
