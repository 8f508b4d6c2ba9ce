// Two instances on a Redis cluster of three nodes: sharded topics, and a cluster that changes its shape.

import slotOf from 'cluster-key-slot'
import { afterAll, describe, expect, test } from 'vitest'
import { caller, createTestChannel, type TestService } from '../support/service.ts'
import { until, watch } from '../support/viewer.ts'
import { testTwoInstances } from '../sync/instance-cases.ts'
import { startInstances } from '../sync/start-instances.ts'
import { startCluster } from './support/redis-cluster.ts'

const cluster = await startCluster()
afterAll(() => cluster.stop())
const { here, there } = await startInstances({ REDIS_URL: cluster.url })
const owner = await here.createOwner()

const text = (content: string) => ({ blocks: [{ type: 'text', id: 't', content }] })
const states = () =>
  Promise.all(
    [here, there].map(async ({ url }) => {
      const { body } = await caller(url)<{ other_instances: string }>('GET', '/readyz')
      return body.other_instances
    }),
  )
const bothAre = (state: string) =>
  until(async () => (await states()).every(is => is === state), `both are ${state}`)
const shardTopics = (part: string) =>
  Promise.all(
    cluster.nodes.map(async ({ client }) => {
      const topics = await client.call('PUBSUB', 'SHARDCHANNELS', `*${part}*`)
      return Array.isArray(topics) ? topics.map(String) : []
    }),
  )

async function followed({ url }: TestService, source: string): Promise<number> {
  const body = await (await fetch(`${url}/metrics`)).text()
  const pattern = new RegExp(`^channel_feed_followed_turns_total\\{source="${source}"\\} (\\d+)$`, 'm')
  return Number(pattern.exec(body)?.[1] ?? 0)
}

/** Viewers of `count` channels. `grow` adds a card to each channel. */
async function watchMany(count: number) {
  const channels = await Promise.all(Array.from({ length: count }, () => createTestChannel(owner)))
  const viewers = channels.map(id => watch(there.url, id, { token: owner.api_key }))
  await until(() => viewers.every(({ provider }) => provider.synced), 'the viewers are synced')
  let cards = 0
  return {
    channels,
    async grow(what: string) {
      cards++
      const posts = channels.map(id => owner.call('POST', `/channels/${id}/cards`, text(what)))
      expect((await Promise.all(posts)).every(({ status }) => status === 201)).toBe(true)
      for (const viewer of viewers) await viewer.sees(seen => seen.length === cards, what)
    },
    leave() {
      for (const viewer of viewers) {
        expect(viewer.closes).toEqual([])
        viewer.leave()
      }
    },
  }
}

test('slotOf returns the slots of Redis', async () => {
  for (const topic of ['', 'a', 'channel-feed:0011:all', '123456789', 'ä'])
    expect(slotOf(topic)).toBe(await cluster.nodes[0]?.client.cluster('KEYSLOT', topic))
})

describe('as with one server', () => {
  testTwoInstances(
    () => ({ REDIS_URL: cluster.url }),
    () => Promise.all(cluster.nodes.map(({ client }) => client.call('CLIENT', 'KILL', 'TYPE', 'pubsub'))),
  )
})

test('channels are spread over the nodes, and instances don’t read the log', async () => {
  await bothAre('heard')
  const many = await watchMany(30)
  await until(
    async () => (await shardTopics(':channel:')).every(topics => topics.length > 0),
    'every node serves some',
  )
  await many.grow('first')
  const log = await followed(there, 'log')
  const bus = await followed(there, 'bus')
  for (let i = 0; i < 5; i++) await many.grow(`${i}`)
  expect((await followed(there, 'log')) - log).toBe(0)
  expect((await followed(there, 'bus')) - bus).toBe(150)
  many.leave()
})

test('a slot that moves to another node loses nothing', async () => {
  const many = await watchMany(3)
  await many.grow('before')
  const id = many.channels[0] ?? ''
  const before = await shardTopics(id)
  const from = before.findIndex(topics => topics.length > 0)
  const to = (from + 1) % cluster.nodes.length
  const slot = slotOf(before[from]?.[0] ?? '')
  const new_id = String(await cluster.nodes[to]?.client.cluster('MYID'))
  for (const i of [to, from, 0, 1, 2])
    await cluster.nodes[i]?.client.call('CLUSTER', 'SETSLOT', slot, 'NODE', new_id)
  await many.grow('while it moves')
  await until(async () => (await shardTopics(id))[to]?.length === 1, 'it is heard at its new place')
  await bothAre('heard')
  const bus = await followed(there, 'bus')
  await many.grow('after')
  expect((await followed(there, 'bus')) - bus).toBe(3)
  many.leave()
})

test.each([0, 2])(
  'when node %i is killed, the log is polled until it is back, and nothing is lost',
  async i => {
    const many = await watchMany(10)
    await many.grow('before')
    await cluster.nodes[i]?.kill()
    await bothAre('polled')
    await many.grow('meanwhile')
    await cluster.nodes[i]?.start()
    await bothAre('heard')
    await many.grow('after')
    many.leave()
  },
)
