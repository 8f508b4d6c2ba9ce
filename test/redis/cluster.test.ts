// Two instances on a Redis cluster of three nodes: sharded topics, and a cluster that changes its shape.

import slotOf from 'cluster-key-slot'
import { describe, expect, test } from 'vitest'
import { createAccount } from '../support/account.ts'
import { pushCard, textCard } from '../support/cards.ts'
import { createChannel } from '../support/channels.ts'
import { runInstances } from '../support/running.ts'
import { times } from '../support/times.ts'
import { until, watchSynced } from '../support/viewer.ts'
import { testTwoInstances } from '../sync/instance-cases.ts'
import { followedTurns, untilBoth } from './support/other-instances.ts'
import { startCluster } from './support/redis-cluster.ts'

const cluster = await startCluster()
const instances = await runInstances({ REDIS_URL: cluster.url })
const { here, there } = instances
const ann = await createAccount(here)

const bothAre = (state: string) => untilBoth(instances, state)
const shardTopics = (part: string) =>
  Promise.all(
    cluster.nodes.map(async ({ client }) => {
      const topics = await client.call('PUBSUB', 'SHARDCHANNELS', `*${part}*`)
      return Array.isArray(topics) ? topics.map(String) : []
    }),
  )

/** Viewers of `count` channels. `grow` adds a card to each channel. */
async function watchMany(count: number) {
  const channels = await times(count, () => createChannel(ann))
  const viewers = await Promise.all(channels.map(id => watchSynced(there.url, id, { token: ann.api_key })))
  let cards = 0
  return {
    channels,
    async grow(what: string) {
      cards++
      await Promise.all(channels.map(id => pushCard(ann.key, `/channels/${id}/cards`, textCard(what))))
      for (const viewer of viewers) await viewer.sees(seen => seen.length === cards, what)
    },
    expectOpen() {
      for (const { closes } of viewers) expect(closes).toEqual([])
    },
  }
}

test('slotOf returns the slots of Redis', async () => {
  for (const topic of ['', 'a', 'channel-feed:0011:all', '123456789', 'ä'])
    expect(slotOf(topic)).toBe(await cluster.nodes[0]?.client.cluster('KEYSLOT', topic))
})

describe('a Redis cluster', async () => {
  await testTwoInstances(instances, () =>
    Promise.all(cluster.nodes.map(({ client }) => client.call('CLIENT', 'KILL', 'TYPE', 'pubsub'))),
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
  const log = await followedTurns(there, 'log')
  const bus = await followedTurns(there, 'bus')
  for (let i = 0; i < 5; i++) await many.grow(`${i}`)
  expect((await followedTurns(there, 'log')) - log).toBe(0)
  expect((await followedTurns(there, 'bus')) - bus).toBe(150)
  many.expectOpen()
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
  const bus = await followedTurns(there, 'bus')
  await many.grow('after')
  expect((await followedTurns(there, 'bus')) - bus).toBe(3)
  many.expectOpen()
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
    many.expectOpen()
  },
)
