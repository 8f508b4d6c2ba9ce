// The wall clock jumps while viewers are connected. Only `Date` is fake; the timers are real.
import { afterAll, afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createTestChannel, startTestService } from '../support/service.ts'
import { type BareSocket, openSocket, type StockVersion, until, watch } from '../support/viewer.ts'

const HOUR_MS = 3_600_000
const KEEP_ALIVE = Buffer.from([0, 2, 2, 0, 0])

let channel_id: string
let ahead = 0

// Before the service starts, so that it uses the fake `Date`.
vi.useFakeTimers({ toFake: ['Date'] })
const service = await startTestService({}, { elapsed: () => performance.now() + ahead })
const owner = await service.createOwner()
beforeEach(async () => {
  vi.setSystemTime(vi.getRealSystemTime())
  ahead = 0
  channel_id = await createTestChannel(owner)
})
afterAll(async () => {
  vi.useRealTimers()
  await service.stop()
})

const opened: BareSocket[] = []
afterEach(() => {
  for (const { socket } of opened.splice(0)) socket.terminate()
})

/** Opens a bare socket. The result counts its keep-alives. */
async function open(): Promise<() => number> {
  const bare = await openSocket(service.url, `/sync/${channel_id}?token=${owner.api_key}`)
  opened.push(bare)
  return () => bare.frames.filter(frame => frame.equals(KEEP_ALIVE)).length
}

const jump = (ms: number) => vi.setSystemTime(Date.now() + ms)

test.each<StockVersion>(['3.1', '2.1'])(
  'y-websocket %s is kept alive after the wall clock went back an hour',
  async version => {
    const early = watch(service.url, channel_id, { version, token: owner.api_key })
    await until(() => early.provider.synced, 'synced')
    const before = await open()
    jump(-HOUR_MS)
    const after = await open()
    for (let i = 1; i <= 3; i++) {
      ahead += 21_000
      await until(() => before() >= i && after() >= i, `keep-alive ${i}`)
    }
    expect(early.provider.wsconnected).toBe(true)
    expect(early.closes).toEqual([])
    early.leave()
  },
)

test('a wall clock that goes an hour ahead closes no viewer', async () => {
  const viewer = watch(service.url, channel_id, { token: owner.api_key })
  await until(() => viewer.provider.synced, 'synced')
  const keepAlives = await open()
  jump(HOUR_MS)
  // The check that sends a keep-alive would also find a silent viewer.
  ahead += 21_000
  await until(() => keepAlives() >= 1, 'a check')
  expect(viewer.provider.wsconnected).toBe(true)
  expect(viewer.closes).toEqual([])
  viewer.leave()
})

test('a viewer that is gone is cut off, even if the wall clock went back', async () => {
  const { socket, closed } = await openSocket(service.url, `/sync/${channel_id}?token=${owner.api_key}`)
  socket.pause()
  jump(-HOUR_MS)
  ahead += 91_000
  await until(() => service.feeds.get(channel_id).document.fanOut.viewers.size === 0, 'let go')
  socket.resume()
  expect(await closed).toBe(1006)
})
