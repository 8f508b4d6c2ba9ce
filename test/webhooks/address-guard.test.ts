// Which addresses a webhook may reach, in all notations of an address.
import { describe, expect, test } from 'vitest'
import { isReachable, type PrivateNetworks, type Resolve } from '../../server/webhooks/address-guard.ts'
import { deliver } from '../../server/webhooks/deliver.ts'
import { runReceiver } from '../support/running.ts'

const receiver = await runReceiver()
const { port } = new URL(receiver.url)

const addresses = (text: string) => text.trim().split(/\s+/)

const LINK_LOCAL = addresses(`
  169.254.169.254 169.254.0.1 fe80::1 fe80::1%eth0 febf::1 ::ffff:169.254.169.254 ::ffff:a9fe:a9fe
  ::ffff:0:169.254.169.254 ::169.254.169.254 0:0:0:0:0:ffff:a9fe:a9fe 64:ff9b::169.254.169.254
  64:ff9b:1::a9fe:a9fe 2002:a9fe:a9fe::1 fd00:ec2::254 fd20:ce::254 100.100.100.200 168.63.129.16
  192.0.0.192
`)

const PRIVATE = addresses(`
  0.0.0.0 10.0.0.1 10.255.255.255 100.64.0.1 100.127.255.255 127.0.0.1 127.255.255.254 172.16.0.1
  172.31.255.255 192.0.0.8 192.0.2.1 192.168.0.1 198.18.0.1 198.51.100.1 203.0.113.1 224.0.0.1
  239.255.255.255 240.0.0.1 255.255.255.255 :: ::1 0:0:0:0:0:0:0:1 ::ffff:127.0.0.1 ::ffff:7f00:1
  ::FFFF:10.0.0.1 ::ffff:0:10.0.0.1 ::127.0.0.1 64:ff9b::127.0.0.1 64:ff9b::a00:1 64:ff9b:1::8.8.8.8
  2002:7f00:1:: 2002:c0a8:1::1 2001:0:53aa:64c:0:fbff:ad04:f2c 2001:db8::1 fc00::1 fd12:3456::1 fec0::1
  ff02::1 100::1 3fff::1 5f00::1
`)

const PUBLIC = addresses(`
  1.1.1.1 8.8.8.8 9.255.255.255 11.0.0.0 100.63.255.255 100.128.0.0 169.253.255.255 169.255.0.0
  172.15.255.255 172.32.0.0 192.167.255.255 192.169.0.0 223.255.255.255 2606:4700::1111 2a00:1450:4001::200e
  ::ffff:8.8.8.8 64:ff9b::8.8.8.8 2002:808:808::1
`)

const INVALID = ['', 'localhost', '1.2.3', '127.0.0.1.', '::1::', '300.0.0.1']

describe.each<[PrivateNetworks, string[], string[]]>([
  ['deny', PUBLIC, [...PRIVATE, ...LINK_LOCAL, ...INVALID]],
  ['allow', [...PUBLIC, ...PRIVATE], [...LINK_LOCAL, ...INVALID]],
])('%s private networks', (private_networks, reachable, blocked) => {
  test.each(reachable.map(address => [address]))('%s is reachable', address => {
    expect(isReachable(address, private_networks)).toBe(true)
  })
  test.each(blocked.map(address => [address]))('%j is blocked', address => {
    expect(isReachable(address, private_networks)).toBe(false)
  })
})

describe('a webhook URL', () => {
  const send = (host: string, private_networks: PrivateNetworks, resolved?: () => string[]) => {
    const resolve: Resolve = (_, __, callback) => {
      const found = resolved?.() ?? []
      callback(
        null,
        found.map(address => ({ address, family: address.includes(':') ? 6 : 4 })),
      )
    }
    return deliver(
      { url: `http://${host}:${port}/`, body: '{}', interaction_id: 'id', secrets: [] },
      { private_networks, head_timeout_ms: 2_000, ...(resolved && { resolve }) },
    )
  }
  const blocked = { status: 'failed', response_code: null, error: 'blocked address' }

  test.each(
    addresses(`
    127.0.0.1 2130706433 0x7f000001 0x7f.0.0.1 0177.0.0.1 017700000001 127.1 127.0.1 127.0.0.1. １２７.0.0.1 0
    0.0.0.0 localhost LOCALHOST [::1] [::] [0:0:0:0:0:0:0:1] [::ffff:127.0.0.1] [::ffff:7f00:1] [::127.0.0.1]
    [64:ff9b::127.0.0.1] [2002:7f00:1::]
  `),
  )('a webhook URL with host %s doesn’t reach loopback if private networks are denied', async host => {
    expect(await send(host, 'deny')).toMatchObject(blocked)
    expect(receiver.received).toHaveLength(0)
  })

  test.each(['169.254.169.254', '0xa9fea9fe', '2852039166', '[::ffff:169.254.169.254]', '[fe80::1]'])(
    'a webhook URL with host %s is blocked even if private networks are allowed',
    async host => {
      expect(await send(host, 'allow')).toMatchObject(blocked)
    },
  )

  test('a webhook URL with a zone is invalid', () => {
    expect(URL.canParse('http://[fe80::1%25eth0]/')).toBe(false)
  })

  test('a webhook URL with a name is blocked if any of its addresses is', async () => {
    expect(await send('hook.example', 'deny', () => ['8.8.8.8', '127.0.0.1'])).toMatchObject(blocked)
    expect(await send('hook.example', 'deny', () => ['::1', '8.8.8.8'])).toMatchObject(blocked)
    expect(await send('hook.example', 'allow', () => ['127.0.0.1', '169.254.169.254'])).toMatchObject(blocked)
  })

  test('a webhook URL with a name connects to the checked addresses: the name is looked up once', async () => {
    const responses = [['127.0.0.1'], ['169.254.169.254']]
    let lookups = 0
    const result = await send('rebound.example', 'allow', () => responses[lookups++] ?? [])
    expect(result).toMatchObject({ status: 'success' })
    expect(lookups).toBe(1)
    expect(receiver.received.at(-1)?.headers.host).toBe(`rebound.example:${port}`)
  })

  test('a webhook URL with a name without addresses fails', async () => {
    const result = await send('empty.example', 'allow', () => [])
    expect(result).toMatchObject({ status: 'failed', response_code: null })
  })
})
