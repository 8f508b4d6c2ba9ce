// A drain: the service still serves requests while its viewers and streams leave for other instances.
import { expect, test } from 'vitest'
import { createAccount } from '../support/account.ts'
import { afterTest } from '../support/after-test.ts'
import { pushCard, textCard } from '../support/cards.ts'
import { createChannel } from '../support/channels.ts'
import { listenTo } from '../support/event-stream.ts'
import { livePath } from '../support/open-page.ts'
import { requestHead, sendRaw, sendUpgrade } from '../support/raw.ts'
import { startTestService } from '../support/service.ts'
import { times } from '../support/times.ts'
import { openSocket, watchSynced } from '../support/viewer.ts'

const LONG_MS = 600_000

async function start() {
  const service = await startTestService()
  const early = new AbortController()
  afterTest(async () => {
    early.abort()
    await service.stop()
  })
  const ann = await createAccount(service)
  return { service, ann, channel_id: await createChannel(ann), early }
}

test('during a drain /readyz returns 503, /healthz 200, and every response closes its connection', async () => {
  const { service, ann, channel_id, early } = await start()
  const drained = service.drain(LONG_MS, early.signal)
  const ready = await fetch(`${service.url}/readyz`)
  expect([ready.status, ready.headers.get('Connection')]).toEqual([503, 'close'])
  expect(await ready.json()).toMatchObject({ status: 'stopping' })
  expect((await fetch(`${service.url}/healthz`)).status).toBe(200)

  const cards = `/channels/${channel_id}/cards`
  const card = await pushCard(ann.key, cards, textCard('written during the drain'))
  const { status, headers } = await ann.key('GET', card)
  expect([status, headers.get('Connection')]).toEqual([200, 'close'])
  // The service closes the connection although the client wants to keep it.
  const raw = requestHead('GET', '/healthz', {}).replace('Connection: close\r\n', '')
  expect((await sendRaw(service.url, raw)).status).toBe(200)
  early.abort()
  await drained
})

test('during a drain new sockets get 503 with Retry-After, and new event streams are served', async () => {
  const { service, ann, channel_id, early } = await start()
  const drained = service.drain(LONG_MS, early.signal)
  const paths = [`/sync/${channel_id}?token=${ann.api_key}`, livePath(ann.slug)]
  for (const path of paths) {
    const answer = await sendUpgrade(service.url, path, { Cookie: ann.cookie })
    expect(answer.status).toBe(503)
    expect(answer.headers).toContain('Retry-After: 1')
  }
  const stream = await listenTo(service.url, ann.api_key, channel_id)
  await pushCard(ann.key, `/channels/${channel_id}/cards`)
  expect(await stream.next()).toMatchObject({ event: 'card.inserted' })
  early.abort()
  await drained
  await service.stop()
  await stream.ended
})

test('a drain closes viewers and workspace pages with 1012 and ends streams, one after another', async () => {
  const { service, ann, channel_id, early } = await start()
  const stream = await listenTo(service.url, ann.api_key, channel_id)
  const page = await openSocket(service.url, livePath(ann.slug), { Cookie: ann.cookie })
  const viewers = await times(20, i =>
    watchSynced(service.url, channel_id, { token: ann.api_key, version: i % 2 ? '3.1' : '2.1' }),
  )
  const open = () => viewers.filter(({ closes }) => closes.length === 0).length
  const drained = service.drain(3_000, early.signal)
  await expect.poll(open, { interval: 1 }).toBeLessThan(20)
  expect(open()).toBeGreaterThan(0)
  expect(await page.closed).toBe(1012)
  await stream.ended
  await drained
  await expect.poll(open).toBe(0)
  for (const { closes } of viewers) expect(closes[0]).toBe(1012)
})

test('a drain closes all viewers with 1012 even if the process sleeps through it', async () => {
  const { service, ann, channel_id, early } = await start()
  const viewers = await times(40, () => openSocket(service.url, `/sync/${channel_id}?token=${ann.api_key}`))
  const drained = service.drain(1_000, early.signal)
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1_300)
  await drained
  await service.stop()
  const codes = await Promise.all(viewers.map(({ closed }) => closed))
  expect(new Set(codes)).toEqual(new Set([1012]))
})

test('a drain that ends early leaves the rest of the viewers to stop', async () => {
  const { service, ann, channel_id, early } = await start()
  const viewer = await watchSynced(service.url, channel_id, { token: ann.api_key })
  const drained = service.drain(LONG_MS, early.signal)
  early.abort()
  await drained
  expect(viewer.closes).toEqual([])
  await service.stop()
  await expect.poll(() => viewer.closes[0]).toBe(1001)
})
