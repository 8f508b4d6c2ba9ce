// Which addresses a webhook may reach, judged when the connection is made: a name that resolves differently
// the second time changes nothing.
import { type LookupAddress, type LookupAllOptions, lookup } from 'node:dns'
import { BlockList, isIP, type LookupFunction } from 'node:net'

export class BlockedAddress extends Error {
  constructor(address: string) {
    super(`blocked address ${address}`)
    this.name = 'BlockedAddress'
  }
}

export type PrivateNetworks = 'allow' | 'deny'

/** Link-local, and what else clouds use to tell a machine its secrets. Never reachable. */
const never = blockList(
  ['169.254.0.0/16', '100.100.100.200/32', '168.63.129.16/32', '192.0.0.192/32'],
  ['fe80::/10', 'fd00:ec2::254/128', 'fd20:ce::254/128'],
)

/** Loopback, private and special addresses (IANA special-purpose registries). */
const notPublic = blockList(
  [
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
  ],
  [
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
  ],
)

/** May a connection go to this address? `private_networks`: whether loopback and private ones are allowed. */
export function isReachable(address: string, private_networks: PrivateNetworks): boolean {
  const [plain = ''] = address.replace(/^\[|\]$/g, '').split('%', 1)
  return addressesIn(plain).every(one => {
    const family = isIP(one) === 6 ? 'ipv6' : 'ipv4'
    if (isIP(one) === 0 || never.check(one, family)) return false
    return private_networks === 'allow' || !notPublic.check(one, family)
  })
}

/** The address, and the IPv4 address that an IPv6 one carries: mapped, compatible, NAT64, 6to4. */
function addressesIn(address: string): string[] {
  if (isIP(address) !== 6) return [address]
  const groups = expand(address)
  const [a = 0, b = 0] = groups
  const last = ipv4(groups[6], groups[7])
  const zeros = (count: number) => groups.slice(0, count).every(group => group === 0)
  const mapped = zeros(5) && groups[5] === 0xffff
  const translated = zeros(4) && groups[4] === 0xffff && groups[5] === 0
  const compatible = zeros(6) && (groups[6] !== 0 || (groups[7] ?? 0) > 1)
  const nat64 = a === 0x64 && b === 0xff9b
  if (mapped || translated || compatible) return [last]
  if (nat64) return [address, last]
  if (a === 0x2002) return [address, ipv4(groups[1], groups[2])]
  return [address]
}

function ipv4(high = 0, low = 0): string {
  return [high >> 8, high & 255, low >> 8, low & 255].join('.')
}

function expand(address: string): number[] {
  // An IPv4 tail becomes two groups.
  const last = address.lastIndexOf(':') + 1
  const [i = 0, j = 0, k = 0, l = 0] = address.slice(last).split('.').map(Number)
  const pairs = [i * 256 + j, k * 256 + l].map(pair => pair.toString(16))
  const hex = address.includes('.') ? address.slice(0, last) + pairs.join(':') : address
  const [head = '', tail] = hex.split('::')
  const parse = (part: string) =>
    part === '' ? [] : part.split(':').map(group => Number.parseInt(group, 16))
  if (tail === undefined) return parse(head)
  const [front, back] = [parse(head), parse(tail)]
  return [...front, ...Array<number>(8 - front.length - back.length).fill(0), ...back]
}

/** All addresses of a name. */
export type Resolve = (
  hostname: string,
  options: LookupAllOptions,
  callback: (error: NodeJS.ErrnoException | null, addresses: LookupAddress[]) => void,
) => void

/**
 * For http.request: resolves a name, and refuses where any of its addresses may not be reached.
 * The connection goes to the addresses that were judged: nobody resolves the name a second time.
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

function blockList(ipv4: string[], ipv6: string[]): BlockList {
  const list = new BlockList()
  for (const subnet of ipv4) add(subnet, 'ipv4')
  for (const subnet of ipv6) add(subnet, 'ipv6')
  return list

  function add(subnet: string, family: 'ipv4' | 'ipv6'): void {
    const [net = '', bits] = subnet.split('/')
    list.addSubnet(net, Number(bits), family)
  }
}
