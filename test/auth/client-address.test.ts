import { IncomingMessage } from 'node:http'
import { Socket } from 'node:net'
import { expect, test } from 'vitest'
import { clientAddress } from '../../server/auth/client-address.ts'

function incoming(remoteAddress: string | undefined, forwarded?: string): IncomingMessage {
  const socket = new Socket()
  Object.defineProperty(socket, 'remoteAddress', { value: remoteAddress })
  const message = new IncomingMessage(socket)
  if (forwarded !== undefined) message.headers['x-forwarded-for'] = forwarded
  return message
}

test.each([
  ['203.0.113.9', '203.0.113.9'],
  ['::ffff:203.0.113.9', '203.0.113.9'],
  ['::FFFF:cb00:7109', '203.0.113.9'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
  ['2001:DB8:1:2::1', '2001:db8:1:2::/64'],
  ['2001:db8::1', '2001:db8:0:0::/64'],
  ['::1', '0:0:0:0::/64'],
  ['fe80::1%eth0', 'fe80:0:0:0::/64'],
  [undefined, 'local'],
])('the address of %s is %s', (remote, expected) => {
  expect(clientAddress(incoming(remote), false)).toBe(expected)
})

test('without a trusted proxy the forwarded address is ignored', () => {
  expect(clientAddress(incoming('203.0.113.9', '198.51.100.1'), false)).toBe('203.0.113.9')
})

test.each([
  ['198.51.100.1', '198.51.100.1'],
  ['10.0.0.1, 192.0.2.7 , 198.51.100.1', '198.51.100.1'],
  ['198.51.100.1:4711', '198.51.100.1'],
  ['[2001:db8:1:2::5]:4711', '2001:db8:1:2::/64'],
  ['::ffff:198.51.100.1', '198.51.100.1'],
  ['198.51.100.1, unknown', '203.0.113.9'],
  ['', '203.0.113.9'],
])('behind a trusted proxy the last entry of "%s" counts: %s', (forwarded, expected) => {
  expect(clientAddress(incoming('203.0.113.9', forwarded), true)).toBe(expected)
})
