// Sockets of a workspace's page: what clients send, and how sockets end. The clock is fake.
import { beforeEach, expect, test } from 'vitest'
import { type Account, createAccount } from '../support/account.ts'
import { pushCard } from '../support/cards.ts'
import { createChannel, patchWorkspace } from '../support/channels.ts'
import { readMetric } from '../support/metrics.ts'
import { livePath, type OpenPage, openPage } from '../support/open-page.ts'
import { runService } from '../support/running.ts'
import { startTestService } from '../support/service.ts'
import { times } from '../support/times.ts'
import { openSocket, until } from '../support/viewer.ts'

let ann: Account
let ahead = 0

const service = await runService({}, { elapsed: () => performance.now() + ahead })
beforeEach(async () => {
  ahead = 0
  ann = await createAccount(service)
})

const open = () => openPage(service.url, ann.slug, ann.cookie)
const openBare = () => openSocket(service.url, livePath(ann.slug), { Cookie: ann.cookie })
const rename = (name: string) => patchWorkspace(ann, { name })
const shows = (page: OpenPage, name: string) => page.sees(({ workspace }) => workspace.name === name, name)

const gauge = () => readMetric(service, 'channel_feed_workspace_viewers')

test('messages of viewers are dropped', async () => {
  const [page, other] = [await open(), await open()]
  const said = ['{"type":"page","page":{}}', 'garbage', '', new Uint8Array([0, 0, 1, 0]), 'é'.repeat(8_000)]
  for (const message of said) page.socket.send(message)
  await rename('Still there')
  await Promise.all([shows(page, 'Still there'), shows(other, 'Still there')])
  expect(page.isOpen()).toBe(true)
  expect(other.ofType('page')).toHaveLength(2)
})

test.each([
  ['a message beyond 16 KiB', 1009, ['x'.repeat(16 * 1024 + 1)]],
  ['a flood of messages', 1008, Array<string>(500).fill('more')],
])('%s closes its socket alone, with %i', async (_, code, messages) => {
  const [bad, good] = [await open(), await open()]
  for (const message of messages) bad.socket.send(message)
  expect(await bad.closed).toBe(code)
  await rename('Calm')
  await shows(good, 'Calm')
})

test.each([
  ['a frame of no kind', [0x83, 0x80, 0, 0, 0, 0]],
  ['a frame without a mask', [0x81, 0x01, 0x61]],
  ['a text that is not UTF-8', [0x81, 0x81, 0, 0, 0, 0, 0xff]],
])('%s closes its socket alone', async (_, bytes) => {
  const [bad, good] = [await open(), await open()]
  // @ts-expect-error ws can't send this frame, so the test writes to its TCP stream
  bad.socket._socket.write(Buffer.from(bytes))
  expect([1002, 1006, 1007]).toContain(await bad.closed)
  await rename('Calm')
  await shows(good, 'Calm')
})

test('a page without viewers is closed, and its sockets are counted', async () => {
  const before = await gauge()
  const [one, two] = [await open(), await open()]
  expect(await gauge()).toBe(before + 2)
  one.leave()
  two.socket.close()
  await until(async () => (await gauge()) === before, 'none is open')
  const again = await open()
  await rename('Again')
  await shows(again, 'Again')
})

/** Makes a page of about 16 MB, which is more than the buffers of a connection can take. */
async function fill(): Promise<string> {
  const ids = await times(16, () => createChannel(ann))
  await service.sql`
    insert into channel_attributes (channel_id, key, value)
    select id, 'large', repeat('x', 1000000) from unnest(${ids}::uuid[]) id`
  return ids[0] ?? ''
}

/** Opens a socket that does not read. */
async function openSlowly() {
  const bare = await openBare()
  bare.socket.pause()
  return bare
}

test('a viewer that does not read delays no one, and catches up when it reads', async () => {
  const channel_id = await fill()
  const { socket, frames } = await openSlowly()
  const messages = () => frames.map(String)
  const brisk = await open()
  for (let i = 0; i < 3; i++) {
    await pushCard(ann.key, `/channels/${channel_id}/cards`)
    await brisk.counts(channel_id, i + 1)
  }
  await rename('Meanwhile')
  await shows(brisk, 'Meanwhile')
  expect(messages()).toEqual([])
  socket.resume()
  await until(() => messages().some(text => text.includes('Meanwhile')), 'what it missed')
  const countOf = (type: string) => messages().filter(text => text.startsWith(`{"type":"${type}"`)).length
  await until(() => countOf('activity') === 2, 'the three counts that it missed, as one')
  expect(countOf('page')).toBe(2)
  await pushCard(ann.key, `/channels/${channel_id}/cards`)
  await until(() => messages().at(-1)?.includes('"card_count":4') === true, 'the next count')
})

test('a viewer that does not read for 30 s is closed with 1013', async () => {
  await fill()
  const { socket, closed } = await openSlowly()
  const brisk = await open()
  // A page of this size fills the buffer of a viewer that reads, too. A ping follows when it has everything.
  await until(() => brisk.ofType('ping').length === 1, 'the brisk one has it all')
  ahead += 31_000
  await until(() => brisk.ofType('ping').length === 2, 'the check that closes it')
  socket.resume()
  expect(await closed).toBe(1013)
  expect(brisk.isOpen()).toBe(true)
})

test('a viewer that is gone without a close is cut off', async () => {
  const { socket, closed } = await openBare()
  const before = await gauge()
  socket.pause()
  ahead += 91_000
  await until(async () => (await gauge()) < before, 'let go')
  socket.resume()
  expect(await closed).toBe(1006)
})

test('stop closes pages with 1001 in waves, and does not wait for unresponsive viewers', async () => {
  const stopping = await startTestService()
  const bob = await createAccount(stopping)
  const pages = await times(20, () => openPage(stopping.url, bob.slug, bob.cookie))
  const began = performance.now()
  const closes = pages.map(async ({ closed }) => ({ code: await closed, at: performance.now() - began }))
  pages[0]?.socket.pause()
  await stopping.stop()
  expect(performance.now() - began).toBeLessThan(5_000)
  pages[0]?.socket.resume()
  const seen = await Promise.all(closes)
  expect(new Set(seen.map(({ code }) => code))).toEqual(new Set([1001]))
  const [first, last] = [Math.min, Math.max].map(pick => pick(...seen.slice(1).map(({ at }) => at)))
  expect((last ?? 0) - (first ?? 0)).toBeGreaterThan(300)
})
