// Two instances on one database with the Redis bus.
import { randomUUID } from 'node:crypto'
import { afterAll, describe, expect, test } from 'vitest'
import { encodeMessage } from '../../server/bus/redis-message.ts'
import { readHead } from '../../server/feed/log.ts'
import { expectRowsMatchDocument } from '../feed/agreement.ts'
import { listenTo } from '../support/event-stream.ts'
import {
  caller,
  createTestChannel,
  type Owner,
  startTestService,
  type TestService,
} from '../support/service.ts'
import { openSocket, type TestViewer, until, watch } from '../support/viewer.ts'
import { testTwoInstances } from '../sync/instance-cases.ts'
import { startInstances } from '../sync/start-instances.ts'
import { startLossyProxy } from './support/lossy-proxy.ts'
import { startRedis } from './support/redis-server.ts'

const redis = await startRedis()
afterAll(() => redis.stop())
const { here, there } = await startInstances({ REDIS_URL: redis.url })
const owner = await here.createOwner()

const text = (content: string) => ({ blocks: [{ type: 'text', id: 't', content }] })
const contents = (viewer: TestViewer) =>
  viewer.cards().map(({ blocks: [block] }) => (block?.type === 'text' ? block.content : null))

async function metric({ url }: TestService, name: string): Promise<number> {
  const body = await (await fetch(`${url}/metrics`)).text()
  const line = body.split('\n').find(line => line.startsWith(`${name} `))
  return Number(line?.split(' ')[1] ?? 0)
}
const followed = (service: TestService, source: 'bus' | 'log') =>
  metric(service, `channel_feed_followed_turns_total{source="${source}"}`)

const othersAre = async (service: TestService) =>
  (await caller(service.url)<{ other_instances: string }>('GET', '/readyz')).body.other_instances

async function watchSynced(service: TestService, channel_id: string): Promise<TestViewer> {
  const viewer = watch(service.url, channel_id, { token: owner.api_key })
  await until(() => viewer.provider.synced, 'the viewer is synced')
  return viewer
}

const topicsOf = async (part: string) =>
  (await redis.client.pubsub('CHANNELS', `*${part}*`)).map(topic => String(topic))

async function subscribed(channel_id: string, instances: number): Promise<string> {
  let topic = ''
  await until(async () => {
    topic = (await topicsOf(channel_id))[0] ?? ''
    return topic !== '' && Number((await redis.client.pubsub('NUMSUB', topic))[1]) === instances
  }, 'the instances are subscribed')
  return topic
}

describe('as without Redis', () => {
  testTwoInstances(
    () => ({ REDIS_URL: redis.url }),
    () => redis.client.call('CLIENT', 'KILL', 'TYPE', 'pubsub'),
  )
})

test('viewers get the updates of the bus, and the instance does not read the log', async () => {
  const channel_id = await createTestChannel(owner)
  const viewer = await watchSynced(there, channel_id)
  await subscribed(channel_id, 1)
  const cards = `/channels/${channel_id}/cards`
  await owner.call('POST', cards, text('first'))
  await viewer.sees(seen => seen.length === 1)
  const [bus, log] = [await followed(there, 'bus'), await followed(there, 'log')]
  for (let i = 0; i < 100; i++) await owner.call('POST', cards, text(`${i}`))
  await Promise.all(Array.from({ length: 50 }, () => owner.call('POST', cards, text('together'))))
  await viewer.sees(seen => seen.length === 151)
  expect((await followed(there, 'log')) - log).toBe(0)
  expect((await followed(there, 'bus')) - bus).toBeGreaterThan(100)
  // The notices are enough to write on that instance.
  const patched = caller(`${there.url}/api/v1`, { Authorization: `Bearer ${owner.api_key}` })
  expect((await patched('POST', cards, text('from there'))).status).toBe(201)
  expect(await metric(there, 'channel_feed_turns_total{verdict="lost"}')).toBe(0)
  await expectRowsMatchDocument(here.sql, channel_id)
  viewer.leave()
})

test('a document in memory follows the other instance, and its next viewer gets the present state', async () => {
  const channel_id = await createTestChannel(owner)
  const cards = `/channels/${channel_id}/cards`
  const first = await watchSynced(there, channel_id)
  await subscribed(channel_id, 1)
  for (let i = 0; i < 20; i++) {
    await owner.call('POST', cards, text(`${i}`))
    await first.sees(seen => seen.length === i + 1)
    const fresh = await watchSynced(there, channel_id)
    expect(fresh.cards()).toEqual(first.cards())
    fresh.leave()
  }
  first.leave()
})

test('an event stream on the other instance reports events', async () => {
  const channel_id = await createTestChannel(owner)
  const path = `/channels/${channel_id}/cards`
  const viewer = await watchSynced(here, channel_id)
  await owner.call('POST', path, text('before'))
  // From now on the log keeps events, and the writing instance knows it.
  const stream = await listenTo(there.url, owner.api_key, channel_id)
  const made = await owner.call('POST', path, text('after'))
  expect(await stream.next()).toMatchObject({ event: 'card.inserted', data: { id: made.body.id } })
  stream.leave()
  viewer.leave()
})

test('a channel that only one instance has open sends nothing to the other', async () => {
  const channel_id = await createTestChannel(owner)
  expect(await topicsOf(channel_id)).toEqual([])
  const viewer = await watchSynced(here, channel_id)
  const topic = await subscribed(channel_id, 1)
  await owner.call('POST', `/channels/${channel_id}/cards`, text('for one instance'))
  await viewer.sees(seen => seen.length === 1)
  expect(await redis.client.pubsub('NUMSUB', topic)).toEqual([topic, 1])
  await owner.call('DELETE', `/channels/${channel_id}`)
  await until(async () => (await topicsOf(channel_id)).length === 0, 'nobody is subscribed')
  viewer.leave()
})

test('forged notices don’t change what viewers see', async () => {
  const channel_id = await createTestChannel(owner)
  const cards = `/channels/${channel_id}/cards`
  const viewer = await watchSynced(there, channel_id)
  const topic = await subscribed(channel_id, 1)
  const forge = async (update: Uint8Array, clock_more: number, seq_more = 1) => {
    const head = await readHead(here.sql, channel_id)
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
    await owner.call('POST', cards, text(`${i}`))
    await viewer.sees(seen => seen.length === i + 1)
  }
  await expectRowsMatchDocument(here.sql, channel_id)
  expect(viewer.closes).toEqual([])
  viewer.leave()
})

test('an access change from Redis closes a socket', async () => {
  const channel_id = await createTestChannel(owner)
  const doomed = await there.createOwner()
  const workspace = `update workspaces set visibility = 'public' where id = '${owner.workspace_id}'`
  await here.sql.unsafe(workspace)
  const socket = await openSocket(there.url, `/sync/${channel_id}?token=${doomed.api_key}`)
  await here.sql`delete from api_keys where id = ${doomed.key_id}`
  const [topic = ''] = await topicsOf(':all')
  const began = performance.now()
  await redis.client.publish(topic, encodeMessage('x', [{ kind: 'key_ended', key_id: doomed.key_id }]))
  expect(await socket.closed).toBe(4401)
  expect(performance.now() - began).toBeLessThan(2_000)
})

test('lost, repeated and reordered messages lose no update', async () => {
  const seed = Date.now() % 1_000_000
  const proxy = await startLossyProxy(redis.url, randomFrom(seed))
  const far = await startTestService({ REDIS_URL: proxy.url }, { database: here.database })
  try {
    const channel_id = await createTestChannel(owner)
    const cards = `/channels/${channel_id}/cards`
    const viewer = await watchSynced(far, channel_id)
    await subscribed(channel_id, 1)
    proxy.lossy = true
    for (let i = 0; i < 100; i++) await owner.call('POST', cards, text(`${i}`))
    await Promise.all(Array.from({ length: 50 }, (_, i) => owner.call('POST', cards, text(`at once ${i}`))))
    expect(Math.min(...Object.values(proxy.met)), `seed ${seed}`).toBeGreaterThan(0)
    proxy.lossy = false
    await owner.call('POST', cards, text('last'))
    await viewer.sees(seen => seen.length === 151, `seed ${seed}`)
    expect(contents(viewer).slice(0, 100)).toEqual(Array.from({ length: 100 }, (_, i) => `${i}`))
    expect(viewer.closes).toEqual([])
    expect(await followed(far, 'log')).toBeGreaterThan(0)
    viewer.leave()
  } finally {
    await far.stop()
    await proxy.stop()
  }
})

test('while Redis is killed and restarted under load, viewers lose nothing and access ends in time', async () => {
  const channels = [await createTestChannel(owner), await createTestChannel(owner)]
  const viewers = await Promise.all(channels.flatMap(id => [watchSynced(here, id), watchSynced(there, id)]))
  const made = new Map(channels.map(id => [id, 0]))
  let stopped = false
  const apis = [here, there].map(({ url }) =>
    caller(`${url}/api/v1`, { Authorization: `Bearer ${owner.api_key}` }),
  )
  const writers = [...channels, ...channels].map(async (id, i) => {
    while (!stopped) {
      const answer = await apis[i < 2 ? 0 : 1]?.('POST', `/channels/${id}/cards`, text(`${i}`))
      expect(answer?.status).toBe(201)
      made.set(id, (made.get(id) ?? 0) + 1)
    }
  })
  const both = (state: string) => async () =>
    (await othersAre(here)) === state && (await othersAre(there)) === state
  const allSee = (what: string) => {
    const least = new Map(made)
    return until(
      () => viewers.every((viewer, i) => newest(viewer) >= (least.get(channels[i >> 1] ?? '') ?? 0)),
      what,
    )
  }
  try {
    for (let round = 0; round < 2; round++) {
      await until(both('heard'), 'both are heard')
      await allSee('while Redis is up')
      await redis.kill()
      await until(both('polled'), 'both are polled')
      expect(await metric(there, 'channel_feed_bus_connected')).toBe(0)
      await allSee('while Redis is down')
      const doomed = await here.createOwner()
      const socket = await openSocket(
        there.url,
        `/sync/${await createTestChannel(doomed)}?token=${doomed.api_key}`,
      )
      const began = performance.now()
      await doomed.call('DELETE', `/channels/${await channelOf(doomed)}`)
      expect(await socket.closed).toBe(4404)
      expect(performance.now() - began).toBeLessThan(2_000)
      await redis.start()
    }
    await until(both('heard'), 'both are heard again')
  } finally {
    stopped = true
    await Promise.all(writers)
  }
  await allSee('in the end')
  for (const id of channels) await expectRowsMatchDocument(here.sql, id)
  for (const viewer of viewers) expect(viewer.closes).toEqual([])
  expect(viewers[0]?.cards()).toEqual(viewers[1]?.cards())
  expect(viewers[2]?.cards()).toEqual(viewers[3]?.cards())
  for (const viewer of viewers) viewer.leave()

  async function channelOf({ user_id }: Owner): Promise<string> {
    const [row] = await here.sql<{ id: string }[]>`
      select c.id from channels c join workspaces w on w.id = c.workspace_id where w.user_id = ${user_id}`
    return row?.id ?? ''
  }
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
