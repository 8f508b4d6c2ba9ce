// Two instances on one database with the Redis bus.
import { randomUUID } from 'node:crypto'
import { afterAll, describe, expect, test } from 'vitest'
import { encodeMessage } from '../../server/bus/redis-message.ts'
import { readLogHead } from '../../server/feed/log/log.ts'
import { expectRowsMatchDocument } from '../feed/agreement.ts'
import { type Account, accountAt, createAccount, createTestKey } from '../support/account.ts'
import { afterTest } from '../support/after-test.ts'
import { pushCard, textCard } from '../support/cards.ts'
import { createChannel, patchWorkspace } from '../support/channels.ts'
import { idOf } from '../support/event-scene.ts'
import { listenTo } from '../support/event-stream.ts'
import { readMetric } from '../support/metrics.ts'
import { runInstances } from '../support/running.ts'
import { startTestService, type TestService } from '../support/service.ts'
import { times } from '../support/times.ts'
import { openSocket, type TestViewer, until, watchSynced } from '../support/viewer.ts'
import { testTwoInstances } from '../sync/instance-cases.ts'
import { startLossyProxy } from './support/lossy-proxy.ts'
import { followedTurns, untilBoth } from './support/other-instances.ts'
import { startRedis } from './support/redis-server.ts'

const redis = await startRedis()
const { topicsOf, subscribersOf } = redis
afterAll(() => redis.stop())
const instances = await runInstances({ REDIS_URL: redis.url })
const { here, there } = instances
const ann = await createAccount(here)

async function newChannel() {
  const channel_id = await createChannel(ann)
  const cards = `/channels/${channel_id}/cards`
  return { channel_id, push: (content?: string) => pushCard(ann.key, cards, textCard(content)) }
}
const contents = (viewer: TestViewer) =>
  viewer.cards().map(({ blocks: [block] }) => (block?.type === 'text' ? block.content : null))

const watchIn = ({ url }: TestService, channel_id: string) =>
  watchSynced(url, channel_id, { token: ann.api_key })

async function subscribed(channel_id: string, instances: number): Promise<string> {
  let topic = ''
  await until(async () => {
    topic = (await topicsOf(channel_id))[0] ?? ''
    return topic !== '' && (await subscribersOf(topic)) === instances
  }, 'the instances are subscribed')
  return topic
}

describe('two instances with Redis', async () => {
  await testTwoInstances(instances, () => redis.client.call('CLIENT', 'KILL', 'TYPE', 'pubsub'))
})

test('viewers get the updates of the bus, and the instance does not read the log', async () => {
  const { channel_id, push } = await newChannel()
  const viewer = await watchIn(there, channel_id)
  await subscribed(channel_id, 1)
  await push('first')
  await viewer.sees(seen => seen.length === 1)
  const [bus, log] = [await followedTurns(there, 'bus'), await followedTurns(there, 'log')]
  const lostTurns = () => readMetric(there, 'channel_feed_turns_total{verdict="lost"}')
  const lost = await lostTurns()
  for (let i = 0; i < 100; i++) await push(`${i}`)
  await times(50, () => push('together'))
  await viewer.sees(seen => seen.length === 151)
  expect((await followedTurns(there, 'log')) - log).toBe(0)
  expect((await followedTurns(there, 'bus')) - bus).toBeGreaterThan(100)
  // The notices are enough to write on that instance.
  await pushCard(accountAt(there, ann).key, `/channels/${channel_id}/cards`)
  expect(await lostTurns()).toBe(lost)
  await expectRowsMatchDocument(here.sql, channel_id)
})

test('a document in memory follows the other instance, and its next viewer gets the present state', async () => {
  const { channel_id, push } = await newChannel()
  const first = await watchIn(there, channel_id)
  await subscribed(channel_id, 1)
  for (let i = 0; i < 20; i++) {
    await push(`${i}`)
    await first.sees(seen => seen.length === i + 1)
    const fresh = await watchIn(there, channel_id)
    expect(fresh.cards()).toEqual(first.cards())
    fresh.leave()
  }
})

test('an event stream on the other instance reports events', async () => {
  const { channel_id, push } = await newChannel()
  await watchIn(here, channel_id)
  await push('before')
  // From now on the log keeps events, and the writing instance knows it.
  const stream = await listenTo(there.url, ann.api_key, channel_id)
  const id = idOf(await push('after'))
  expect(await stream.next()).toMatchObject({ event: 'card.inserted', data: { id } })
  stream.leave()
})

test('a channel that only one instance has open sends nothing to the other', async () => {
  const { channel_id, push } = await newChannel()
  expect(await topicsOf(channel_id)).toEqual([])
  const viewer = await watchIn(here, channel_id)
  const topic = await subscribed(channel_id, 1)
  await push('for one instance')
  await viewer.sees(seen => seen.length === 1)
  expect(await subscribersOf(topic)).toBe(1)
  await ann.key('DELETE', `/channels/${channel_id}`)
  await until(async () => (await topicsOf(channel_id)).length === 0, 'nobody is subscribed')
})

test('forged notices don’t change what viewers see', async () => {
  const { channel_id, push } = await newChannel()
  const viewer = await watchIn(there, channel_id)
  const topic = await subscribed(channel_id, 1)
  const forge = async (update: Uint8Array, clock_more: number, seq_more = 1) => {
    const head = await readLogHead(here.sql, channel_id)
    if (!head) throw new Error('the channel has a document')
    const { epoch, seq, clock, next_position, card_count } = head
    const turn = { clock: clock + clock_more, next_position, card_count, update }
    const notice = { kind: 'grown', channel_id, epoch, seq: seq + seq_more, turn } as const
    await redis.client.publish(topic, encodeMessage(randomUUID(), [notice]))
  }
  const nothing = new Uint8Array([0, 0])
  for (let i = 0; i < 10; i++) {
    await forge(nothing, 0)
    await forge(nothing, 3)
    await forge(new Uint8Array([255, 255, 255, 1]), 1)
    await forge(new Uint8Array(), 1)
    await forge(nothing, 1, 5)
    await redis.client.publish(topic, 'junk')
    await push(`${i}`)
    await viewer.sees(seen => seen.length === i + 1)
  }
  await expectRowsMatchDocument(here.sql, channel_id)
  expect(viewer.closes).toEqual([])
})

test('an access change from Redis closes a socket', async () => {
  const { channel_id } = await newChannel()
  const bob = await createAccount(there)
  await patchWorkspace(ann, { visibility: 'public' })
  const { id: key_id, key } = await createTestKey(bob.session)
  const socket = await openSocket(there.url, `/sync/${channel_id}?token=${key}`)
  await here.sql`delete from api_keys where id = ${key_id}`
  const [topic = ''] = await topicsOf(':all')
  const began = performance.now()
  await redis.client.publish(topic, encodeMessage('x', [{ kind: 'key_ended', key_id }]))
  expect(await socket.closed).toBe(4401)
  expect(performance.now() - began).toBeLessThan(2_000)
})

test('lost, repeated and reordered messages lose no update', async () => {
  const seed = Date.now() % 1_000_000
  const proxy = await startLossyProxy(redis.url, randomFrom(seed))
  const far = await startTestService({ REDIS_URL: proxy.url }, { database: here.database })
  afterTest(() => far.stop())
  const { channel_id, push } = await newChannel()
  const viewer = await watchIn(far, channel_id)
  await subscribed(channel_id, 1)
  proxy.lossy = true
  for (let i = 0; i < 100; i++) await push(`${i}`)
  await times(50, i => push(`at once ${i}`))
  expect(Math.min(...Object.values(proxy.met)), `seed ${seed}`).toBeGreaterThan(0)
  proxy.lossy = false
  await push('last')
  await viewer.sees(seen => seen.length === 151, `seed ${seed}`)
  expect(contents(viewer).slice(0, 100)).toEqual(Array.from({ length: 100 }, (_, i) => `${i}`))
  expect(viewer.closes).toEqual([])
  expect(await followedTurns(far, 'log')).toBeGreaterThan(0)
})

test('while Redis is killed and restarted under load, viewers lose nothing and access ends in time', async () => {
  const channels = await times(2, () => createChannel(ann))
  const viewers = await Promise.all(channels.flatMap(id => [watchIn(here, id), watchIn(there, id)]))
  const made = new Map(channels.map(id => [id, 0]))
  let stopped = false
  const write = async (id: string, { key }: Account) => {
    while (!stopped) {
      await pushCard(key, `/channels/${id}/cards`)
      made.set(id, (made.get(id) ?? 0) + 1)
    }
  }
  const writers = channels.flatMap(id => [write(id, ann), write(id, accountAt(there, ann))])
  const allSee = (what: string) => {
    const least = new Map(made)
    return until(
      () => viewers.every((viewer, i) => newest(viewer) >= (least.get(channels[i >> 1] ?? '') ?? 0)),
      what,
    )
  }
  try {
    for (let round = 0; round < 2; round++) {
      await untilBoth(instances, 'heard')
      await allSee('while Redis is up')
      await redis.kill()
      await untilBoth(instances, 'polled')
      expect(await readMetric(there, 'channel_feed_bus_connected')).toBe(0)
      await allSee('while Redis is down')
      const bob = await createAccount(here)
      const doomed = await createChannel(bob)
      const socket = await openSocket(there.url, `/sync/${doomed}?token=${bob.api_key}`)
      const began = performance.now()
      await bob.key('DELETE', `/channels/${doomed}`)
      expect(await socket.closed).toBe(4404)
      expect(performance.now() - began).toBeLessThan(2_000)
      await redis.start()
    }
    await untilBoth(instances, 'heard')
  } finally {
    stopped = true
    await Promise.all(writers)
  }
  await allSee('in the end')
  for (const id of channels) await expectRowsMatchDocument(here.sql, id)
  for (const viewer of viewers) expect(viewer.closes).toEqual([])
  expect(viewers[0]?.cards()).toEqual(viewers[1]?.cards())
  expect(viewers[2]?.cards()).toEqual(viewers[3]?.cards())
})

/** How many cards the channel has had, as far as the viewer knows. */
const newest = (viewer: TestViewer) => (viewer.cards().at(-1)?.position ?? -1) + 1

/** Numbers from 0 up to 1 that follow from `seed` (mulberry32). */
function randomFrom(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}
