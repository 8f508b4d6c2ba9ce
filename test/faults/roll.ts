// Three instances behind a balancer, with stock viewers, event streams and a steady load, restarted one after another.
import { expect, vi } from 'vitest'
import { readCards } from '../../server/feed/card-rows.ts'
import { expectRowsMatchDocument } from '../feed/agreement.ts'
import { createAccount } from '../support/account.ts'
import { afterTest } from '../support/after-test.ts'
import { createChannel } from '../support/channels.ts'
import { createTestDatabase } from '../support/database.ts'
import { listenTo, type StreamEvent } from '../support/event-stream.ts'
import { startInstance } from '../support/server.ts'
import { times } from '../support/times.ts'
import { type TestViewer, until, watchSynced } from '../support/viewer.ts'
import { Load } from './load.ts'
import { expectUpToDate } from './scene.ts'

const WRITERS = 8
const PAUSE_MS = 100
const CONVERGE_MS = 5_000

type Balancer = {
  url: string
  stop(): Promise<void>
  /** Whether the balancer sends requests to the instance again. */
  isReady?(url: string): boolean
  leave?(url: string): void
  use?(url: string): void
}

export type RollOptions = {
  startBalancer: (instances: string[]) => Promise<Balancer>
  drain_s: number
  viewers: number
  /** The entry of the build that is replaced; by default the present one. */
  from?: string | undefined
}

/** Restarts each instance and checks that nobody notices more than one reconnect. Returns figures. */
export async function roll({ startBalancer, drain_s, viewers: count, from }: RollOptions) {
  // Another build migrates the database itself.
  const database = await createTestDatabase(from ? 'template0' : undefined)
  afterTest(() => database.drop())
  const limits = { DAILY_CARD_LIMIT: '0', DAILY_CHANNEL_LIMIT: '0', SOCKETS_PER_ADDRESS: '0' }
  const env = { ...limits, DRAIN_SECONDS: String(drain_s) }
  const instances = await times(3, () => startInstance(database, env, from))
  afterTest(() => Promise.all(instances.map(({ kill }) => kill())))
  const balancer = await startBalancer(instances.map(({ url }) => url))
  afterTest(() => balancer.stop())

  const ann = await createAccount(balancer)
  const target = { url: balancer.url, api_key: ann.api_key }
  const channel_ids = await times(2, () => createChannel(ann))
  const channelOf = (i: number) => channel_ids[i % 2] ?? ''
  const viewers = await times(count, i =>
    watchSynced(balancer.url, channelOf(i), { token: ann.api_key, version: i % 4 < 2 ? '3.1' : '2.1' }),
  )
  const streams = channel_ids.map(id => followEvents(balancer.url, ann.api_key, id))
  const absences = watchAbsences(viewers)
  const load = new Load(target, channel_ids, WRITERS, PAUSE_MS)
  afterTest(() => load.stop())
  await until(() => load.cards.size >= 5 * WRITERS, 'cards are written')

  const began = performance.now()
  for (const instance of instances) {
    const before = viewers.map(({ closes }) => closes.length)
    // A release without a drain depends on a balancer that leaves first.
    if (from) balancer.leave?.(instance.url)
    expect(await instance.stop()).toBe(0)
    await instance.restart()
    if (from) balancer.use?.(instance.url)
    await until(() => balancer.isReady?.(instance.url) ?? true, 'the balancer uses the instance again')
    await until(() => viewers.every(({ provider }) => provider.synced), 'all viewers are back')
    const reconnects = viewers.map(({ closes }, i) => closes.length - (before[i] ?? 0))
    expect(Math.max(...reconnects), 'reconnects per viewer').toBeLessThanOrEqual(1)
  }
  const ended = performance.now()
  const written = load.cards.size
  await until(() => load.cards.size >= written + WRITERS, 'cards are written after the last restart')
  await load.stop()

  const codes = viewers.flatMap(({ closes }) => closes)
  expect(new Set(codes)).toEqual(new Set([from ? 1001 : 1012]))
  for (const status of load.met.keys()) expect(['200', '201']).toContain(status)
  await load.expectKept()
  const converge = { timeout: CONVERGE_MS, interval: 5 }
  for (const [i, channel_id] of channel_ids.entries()) {
    const rows = await readCards(database.sql, channel_id, 0, Number.MAX_SAFE_INTEGER)
    const posted = [...load.cards].filter(([, card]) => card.channel_id === channel_id).map(([id]) => id)
    expect(rows.map(({ id }) => id).sort()).toEqual(posted.sort())
    await vi.waitFor(() => expect(streams[i]?.inserted().sort()).toEqual(posted), converge)
    const there = viewers.filter((_, v) => channelOf(v) === channel_id)
    for (const viewer of there) await vi.waitFor(() => expectUpToDate(viewer, rows, 'a viewer'), converge)
    await expectRowsMatchDocument(database.sql, channel_id)
  }
  await Promise.all(streams.map(({ stop }) => stop()))
  return {
    load,
    codes,
    absences: absences.stop(),
    began,
    ended,
    endings: streams.map(({ endings }) => endings()),
  }
}

/** Listens like an automation: a stream that ends is opened again after the last event. */
function followEvents(url: string, api_key: string, channel_id: string) {
  const past: StreamEvent[] = []
  let endings = 0
  let stopped = false
  let current: Awaited<ReturnType<typeof listenTo>> | null = null
  const all = () => [...past, ...(current?.events ?? [])]
  const done = (async () => {
    while (!stopped) {
      const last_id = past.at(-1)?.id
      const stream = await listenTo(url, api_key, channel_id, last_id)
      expect(stream.status).toBe(200)
      current = stream
      if (stopped) stream.leave()
      await stream.ended
      past.push(...stream.events)
      current = null
      endings++
    }
  })()
  // Observed in `stop`.
  done.catch(() => {})
  async function stop(): Promise<void> {
    stopped = true
    current?.leave()
    await done
  }
  afterTest(stop)
  return {
    stop,
    /** How often the server ended the stream. */
    endings: () => endings,
    /** The ids of the inserted cards, each as often as it was reported. */
    inserted: () => all().flatMap(({ event, data }) => (event === 'card.inserted' ? [idOf(data)] : [])),
  }
}

const idOf = (data: unknown) =>
  typeof data === 'object' && data !== null && 'id' in data ? String(data.id) : ''

/** Notes when viewers are not synced, to ten milliseconds. */
function watchAbsences(viewers: TestViewer[]) {
  const gone = new Map<TestViewer, number>()
  const absences: { back_at: number; ms: number }[] = []
  const timer = setInterval(() => {
    const now = performance.now()
    for (const viewer of viewers) {
      const since = gone.get(viewer)
      if (!viewer.provider.synced) gone.set(viewer, since ?? now)
      else if (since !== undefined) {
        gone.delete(viewer)
        absences.push({ back_at: now, ms: now - since })
      }
    }
  }, 10)
  const stop = () => {
    clearInterval(timer)
    return absences
  }
  afterTest(stop)
  return { stop }
}
