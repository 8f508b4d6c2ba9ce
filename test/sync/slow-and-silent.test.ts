// Viewers that do not read, servers that have nothing to send, and a wall clock that jumps. Both clocks are fake; the
// timers are real.
import { afterAll, beforeEach, expect, test, vi } from 'vitest'
import type { WebSocket } from 'ws'
import { pushCard } from '../support/cards.ts'
import { createChannel } from '../support/channels.ts'
import { runWithOwner } from '../support/running.ts'
import { times } from '../support/times.ts'
import {
  openSocket,
  type StockVersion,
  type TestViewer,
  until,
  watch,
  watchSynced,
} from '../support/viewer.ts'

const HOUR_MS = 3_600_000

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

const open = () => openSocket(service.url, `/sync/${channel_id}?token=${ann.api_key}`)
const push = (card?: object) => pushCard(ann.key, `/channels/${channel_id}/cards`, card)
const idIn = (path: string) => path.slice(path.lastIndexOf('/') + 1)
const KEEP_ALIVE = Buffer.from([0, 2, 2, 0, 0])
const jump = (ms: number) => vi.setSystemTime(Date.now() + ms)
const STEP_1 = new Uint8Array([0, 0, 1, 0])

/** Writes about 20 MB, which is more than the buffers of a connection can take. */
async function flood(): Promise<void> {
  const block = (i: number) => ({ type: 'text', id: `${i}`, content: 'x'.repeat(10_000) })
  const blocks = Array.from({ length: 20 }, (_, i) => block(i))
  for (let i = 0; i < 10; i++) await times(10, () => push({ blocks }))
}

function socketOf({ provider }: TestViewer): Pick<WebSocket, 'pause' | 'resume'> {
  // @ts-expect-error in Node the provider uses a socket of ws
  return provider.ws
}

const states = () => [...service.feeds.audience(channel_id).fanOut.viewers].map(({ state }) => state.kind)

test.each<StockVersion>(['3.1', '2.1'])(
  'a silent server sends y-websocket %s an empty update every 20 s, even after the wall clock went back an hour',
  async version => {
    const viewer = await watchSynced(service.url, channel_id, { version, token: ann.api_key })
    let updates = 0
    viewer.doc.on('update', () => updates++)
    const before = await open()
    jump(-HOUR_MS)
    const after = await open()
    for (let i = 1; i <= 3; i++) {
      ahead += 21_000
      await until(() => [before, after].every(({ frames }) => frames.length >= i), `keep-alive ${i}`)
    }
    expect([...before.frames, ...after.frames].every(frame => frame.equals(KEEP_ALIVE))).toBe(true)
    expect(updates).toBe(0)
    expect(viewer.provider.wsconnected).toBe(true)
    expect(viewer.closes).toEqual([])
  },
)

test('a wall clock that goes an hour ahead closes no viewer', async () => {
  const viewer = await watchSynced(service.url, channel_id, { token: ann.api_key })
  const { frames } = await open()
  jump(HOUR_MS)
  // The check that sends a keep-alive would also find a silent viewer.
  ahead += 21_000
  await until(() => frames.length > 0, 'a check')
  expect(viewer.provider.wsconnected).toBe(true)
  expect(viewer.closes).toEqual([])
})

test('a viewer that does not read gets no more frames, and catches up when it reads again', async () => {
  const slow = await watchSynced(service.url, channel_id, { token: ann.api_key })
  const brisk = await watchSynced(service.url, channel_id, { token: ann.api_key })
  socketOf(slow).pause()
  await flood()
  // Of so large cards, the document keeps the newest page only.
  const seesLast = (viewer: TestViewer, id: string, what: string) =>
    viewer.sees(cards => cards.some(card => card.id === id), what)
  const last = idIn(await push())
  await seesLast(brisk, last, 'the brisk viewer is not held up')
  expect(states().sort()).toEqual(['behind', 'live'])
  expect(slow.cards().map(({ id }) => id)).not.toContain(last)
  socketOf(slow).resume()
  await seesLast(slow, last, 'the slow viewer catches up')
  await until(() => states().every(kind => kind === 'live'), 'it is live again')
  const next = idIn(await push())
  for (const viewer of [slow, brisk]) await seesLast(viewer, next, 'both are live')
  expect(slow.cards()).toEqual(brisk.cards())
})

test('a viewer that does not read for 30 s is closed with 1013, even if it sends requests', async () => {
  const { socket, closed } = await open()
  socket.send(STEP_1)
  await until(() => states().includes('live'), 'joined')
  socket.pause()
  await flood()
  expect(states()).toEqual(['behind'])
  for (let i = 0; i < 5; i++) socket.send(STEP_1)
  ahead += 31_000
  // The next check, once a second, closes it. The close waits behind earlier frames.
  const viewer = [...service.feeds.audience(channel_id).fanOut.viewers][0]
  await until(() => viewer?.closing === true, 'the server closes')
  socket.resume()
  expect(await closed).toBe(1013)
})

test('a viewer that is gone without a close is cut off, even if the wall clock went back', async () => {
  const { socket, closed } = await open()
  socket.pause()
  jump(-HOUR_MS)
  ahead += 91_000
  await until(() => service.feeds.audience(channel_id).fanOut.viewers.size === 0, 'let go')
  socket.resume()
  expect(await closed).toBe(1006)
})

test('a channel without viewers and writes leaves memory', async () => {
  await push()
  expect(service.feeds.counts().channels).toBeGreaterThan(0)
  ahead += 300_000
  await until(() => service.feeds.counts().channels === 0, 'all channels are closed')
  const viewer = watch(service.url, channel_id, { token: ann.api_key })
  await viewer.sees(cards => cards.length === 1)
})
