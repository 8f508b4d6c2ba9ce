// The wall clock jumps while viewers are connected. Only `Date` is fake; the timers are real.
import { afterAll, beforeEach, expect, test, vi } from 'vitest'
import { createChannel } from '../support/channels.ts'
import { runWithOwner } from '../support/running.ts'
import { openSocket, type StockVersion, until, watchSynced } from '../support/viewer.ts'

const HOUR_MS = 3_600_000
const KEEP_ALIVE = Buffer.from([0, 2, 2, 0, 0])

let channel_id: string
let ahead = 0

// Before the service starts, so that it uses the fake `Date`.
vi.useFakeTimers({ toFake: ['Date'] })
afterAll(() => void vi.useRealTimers())
const { service, ann } = await runWithOwner({}, { elapsed: () => performance.now() + ahead })
beforeEach(async () => {
  vi.setSystemTime(vi.getRealSystemTime())
  ahead = 0
  channel_id = await createChannel(ann)
})

const openBare = () => openSocket(service.url, `/sync/${channel_id}?token=${ann.api_key}`)

/** Opens a bare socket. The result counts its keep-alives. */
async function open(): Promise<() => number> {
  const { frames } = await openBare()
  return () => frames.filter(frame => frame.equals(KEEP_ALIVE)).length
}

const jump = (ms: number) => vi.setSystemTime(Date.now() + ms)

test.each<StockVersion>(['3.1', '2.1'])(
  'y-websocket %s is kept alive after the wall clock went back an hour',
  async version => {
    const early = await watchSynced(service.url, channel_id, { version, token: ann.api_key })
    const before = await open()
    jump(-HOUR_MS)
    const after = await open()
    for (let i = 1; i <= 3; i++) {
      ahead += 21_000
      await until(() => before() >= i && after() >= i, `keep-alive ${i}`)
    }
    expect(early.provider.wsconnected).toBe(true)
    expect(early.closes).toEqual([])
  },
)

test('a wall clock that goes an hour ahead closes no viewer', async () => {
  const viewer = await watchSynced(service.url, channel_id, { token: ann.api_key })
  const keepAlives = await open()
  jump(HOUR_MS)
  // The check that sends a keep-alive would also find a silent viewer.
  ahead += 21_000
  await until(() => keepAlives() >= 1, 'a check')
  expect(viewer.provider.wsconnected).toBe(true)
  expect(viewer.closes).toEqual([])
})

test('a viewer that is gone is cut off, even if the wall clock went back', async () => {
  const { socket, closed } = await openBare()
  socket.pause()
  jump(-HOUR_MS)
  ahead += 91_000
  await until(() => service.feeds.get(channel_id).document.fanOut.viewers.size === 0, 'let go')
  socket.resume()
  expect(await closed).toBe(1006)
})
