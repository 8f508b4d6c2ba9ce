// Limits for open sockets per address and per channel. A socket counts from its request until it is closed.
import { expect, test } from 'vitest'
import { afterTest } from '../support/after-test.ts'
import { createChannel } from '../support/channels.ts'
import { refusedConnections } from '../support/metrics.ts'
import { livePath } from '../support/open-page.ts'
import { cutOff, sendUpgrade, upgradeHead } from '../support/raw.ts'
import { buildScene, type Scene } from '../support/scene.ts'
import { startTestService, type TestService } from '../support/service.ts'
import { times } from '../support/times.ts'
import { type BareSocket, openSocket, statusOf, until, upgradeStatus } from '../support/viewer.ts'

let service: TestService
let scene: Scene
let open: BareSocket[] = []

async function start(...given: Parameters<typeof startTestService>): Promise<void> {
  service = await startTestService(...given)
  afterTest(() => service.stop())
  scene = await buildScene(service)
  open = []
}

const sync = (channel_id = scene.channel_id) => `/sync/${channel_id}`

/** Opens a socket and keeps it open. Returns 101, or the status of the error. */
const enter = (path: string, headers?: Record<string, string>) =>
  statusOf(openSocket(service.url, path, headers).then(bare => open.push(bare)))

const enterTimes = (count: number, path = sync()) => times(count, () => enter(path))

test('an address has a limit for sockets of channels and workspaces together; one more returns 429', async () => {
  await start({ SOCKETS_PER_ADDRESS: '3' })
  const live = livePath(scene.account.slug)
  expect(await enter(sync())).toBe(101)
  expect(await enter(live)).toBe(101)
  expect(await enter(sync())).toBe(101)
  const response = await sendUpgrade(service.url, sync())
  expect(response.status).toBe(429)
  expect(response.headers).toMatch(/^Retry-After: 10\r?$/m)
  expect(response.headers).toMatch(/^Cache-Control: no-store\r?$/m)
  expect(JSON.parse(response.body)).toEqual({ error: 'Too many connections' })
  expect(await enter(live)).toBe(429)
  // The limit comes before any lookup.
  expect(await enter(sync('no-uuid'))).toBe(429)
  expect(await refusedConnections(service.url, 'address')).toBe(3)

  open[0]?.socket.close()
  await until(async () => (await upgradeStatus(service.url, sync())) === 101, 'a place is free again')
})

test('concurrent upgrades do not exceed the limit', async () => {
  await start({ SOCKETS_PER_ADDRESS: '10' })
  const statuses = await enterTimes(100)
  expect(statuses.filter(status => status === 101)).toHaveLength(10)
  expect(statuses.filter(status => status === 429)).toHaveLength(90)
})

test('upgrades that fail or are cut off don’t count any more', async () => {
  await start({ SOCKETS_PER_ADDRESS: '4' })
  for (let round = 0; round < 4; round++) {
    await enterTimes(4, sync('00000000-0000-4000-8000-000000000000'))
    await times(4, () => sendUpgrade(service.url, sync(), { 'Sec-WebSocket-Key': 'no key' }))
    for (let i = 0; i < 4; i++) await cutOff(service.url, upgradeHead(sync()))
  }
  await until(async () => (await enter(sync())) === 101 && open.length === 4, 'all places are free again')
  expect(await enter(sync())).toBe(429)
})

test('behind a trusted proxy each forwarded address has its own limit', async () => {
  await start({ SOCKETS_PER_ADDRESS: '1', TRUST_PROXY: '1' })
  const from = (address: string) => enter(sync(), { 'X-Forwarded-For': address })
  expect(await from('192.0.2.1')).toBe(101)
  expect(await from('192.0.2.1')).toBe(429)
  expect(await from('192.0.2.2')).toBe(101)
  expect(await from('2001:db8::1')).toBe(101)
  expect(await from('2001:db8::2')).toBe(429)
})

test('a channel has a limit for sockets of all addresses; SOCKETS_PER_ADDRESS=0 lifts the address’s limit', async () => {
  await start({ SOCKETS_PER_ADDRESS: '0' }, { sockets_per_channel: 5 })
  const statuses = await enterTimes(20)
  expect(statuses.filter(status => status === 101)).toHaveLength(5)
  expect(statuses.filter(status => status === 429)).toHaveLength(15)
  expect(await refusedConnections(service.url, 'channel')).toBe(15)
  expect(await refusedConnections(service.url, 'address')).toBe(0)

  expect(await enter(sync(await createChannel(scene.account)))).toBe(101)
  open[0]?.socket.terminate()
  await until(async () => (await upgradeStatus(service.url, sync())) === 101, 'a place is free again')
})
