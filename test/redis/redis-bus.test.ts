// The bus on Redis: a notice arrives where its channel is watched, or the bus reports a gap, or PostgreSQL delivers it.
import { randomBytes, randomUUID } from 'node:crypto'
import { pino } from 'pino'
import { afterAll, afterEach, beforeEach, describe, expect, test } from 'vitest'
import { type Bus, type BusNotice, type GrownNotice, withoutTurn } from '../../server/bus/bus.ts'
import { startRedisBus } from '../../server/bus/redis-bus.ts'
import { encodeMessage } from '../../server/bus/redis-message.ts'
import { afterTest } from '../support/after-test.ts'
import { createTestDatabase, type TestDatabase } from '../support/database.ts'
import { freePort } from '../support/ports.ts'
import { until } from '../support/viewer.ts'
import { startRedis } from './support/redis-server.ts'

type TestBus = { bus: Bus; received: BusNotice[]; gaps: boolean[]; watching: string[]; logged: () => string }

let database: TestDatabase
let here: TestBus
let there: TestBus
const started: TestBus[] = []

const redis = await startRedis()
const { topicsOf, subscribersOf } = redis
afterAll(() => redis.stop())
beforeEach(async () => {
  database = await createTestDatabase()
  here = await startBus()
  there = await startBus()
})
afterEach(async () => {
  for (const { bus } of started.splice(0)) await bus.stop()
  await database.drop()
})

async function startBus(url = redis.url, on = database): Promise<TestBus> {
  const received: BusNotice[] = []
  const gaps: boolean[] = []
  const watching: string[] = []
  const events = {
    receive: (notice: BusNotice) => received.push(notice),
    gap: (up: boolean) => gaps.push(up),
    watching: (ids: string[]) => watching.push(...ids),
  }
  let output = ''
  const write = (line: string) => {
    output += line
  }
  const log = pino({ level: 'trace' }, { write })
  const bus = await startRedisBus({ url, secret: 'a secret', sql: on.sql, target: on.target, events, log })
  const test_bus = { bus, received, gaps, watching, logged: () => output }
  started.push(test_bus)
  return test_bus
}

/** Resolves when notices of the channel arrive. */
async function watchFrom(test_bus: TestBus, channel_id: string): Promise<() => void> {
  const unwatch = test_bus.bus.watch(channel_id)
  await until(() => test_bus.watching.includes(channel_id), 'the subscription is confirmed')
  return unwatch
}

const grown = (channel_id: string, seq: number, size = 100): GrownNotice => ({
  kind: 'grown',
  channel_id,
  epoch: 2,
  seq,
  turn: {
    clock: 10 ** 10 + seq,
    next_position: seq,
    card_count: seq,
    update: new Uint8Array(randomBytes(size)),
  },
})

test('notices of a channel arrive in order and with updates, and only where it is watched', async () => {
  const [watched, other] = [randomUUID(), randomUUID()]
  await watchFrom(there, watched)
  const published = Array.from({ length: 100 }, (_, seq) => grown(watched, seq))
  for (const notice of published) {
    here.bus.publish(notice)
    here.bus.publish(grown(other, notice.seq))
  }
  here.bus.publish({ kind: 'interacted', channel_id: watched })
  await until(() => there.received.length >= 101, 'all is received')
  expect(there.received).toEqual([...published, { kind: 'interacted', channel_id: watched }])
  expect(here.received).toEqual([])
})

test('all instances receive access changes, even without Redis', async () => {
  const key_id = randomUUID()
  const ended: BusNotice = { kind: 'key_ended', key_id }
  here.bus.publish(ended)
  await until(() => there.received.length === 2, 'both')
  expect(there.received).toEqual([ended, ended])
  await redis.kill()
  try {
    here.bus.publish(ended)
    await until(() => there.received.length > 2, 'by PostgreSQL alone')
  } finally {
    await redis.start()
  }
})

test('a channel is subscribed from its first watch to its last unwatch', async () => {
  const channel_id = randomUUID()
  expect(await topicsOf(channel_id)).toEqual([])
  const first = await watchFrom(here, channel_id)
  const [topic = ''] = await topicsOf(channel_id)
  const second = here.bus.watch(channel_id)
  const third = await watchFrom(there, channel_id)
  expect(await subscribersOf(topic)).toBe(2)
  first()
  first()
  third()
  await until(async () => (await subscribersOf(topic)) === 1, 'one is left')
  second()
  await until(async () => (await topicsOf(channel_id)).length === 0, 'none is left')
  for (let i = 0; i < 10; i++) here.bus.watch(channel_id)()
  here.bus.watch(channel_id)
  await until(async () => (await subscribersOf(topic)) === 1, 'watched again')
})

test('a notice with a large update arrives without it', async () => {
  const channel_id = randomUUID()
  await watchFrom(there, channel_id)
  const [large, next] = [grown(channel_id, 1, 300 * 1024), grown(channel_id, 2)]
  here.bus.publish(large)
  here.bus.publish(next)
  await until(() => there.received.length === 2, 'both')
  expect(there.received).toEqual([withoutTurn(large), next])
})

test('foreign messages are ignored', async () => {
  const channel_id = randomUUID()
  await watchFrom(there, channel_id)
  const [topic = ''] = await topicsOf(channel_id)
  const notice = grown(channel_id, 1)
  const whole = encodeMessage('someone', [notice])
  const foreign = Buffer.from(whole)
  foreign[0] = 2
  // @ts-expect-error a notice of another version
  const unknown = encodeMessage('someone', [{ kind: 'new' }])
  const texts = ['', 'junk', '{}', Buffer.alloc(3), foreign, unknown, randomBytes(1_000)]
  for (const text of texts) await redis.client.publish(topic, text)
  for (let end = 0; end < whole.length; end++) await redis.client.publish(topic, whole.subarray(0, end))
  here.bus.publish(notice)
  await until(() => there.received.length > 0, 'the notice')
  expect(there.received).toEqual([notice])
  expect(there.bus.connected).toBe(true)
})

test('services with different databases on one Redis don’t receive each other’s notices', async () => {
  const others = await createTestDatabase()
  const stranger = await startBus(redis.url, others)
  const channel_id = randomUUID()
  await watchFrom(stranger, channel_id)
  await watchFrom(there, channel_id)
  here.bus.publish(grown(channel_id, 1))
  here.bus.publish({ kind: 'channel_deleted', channel_id })
  await until(() => there.received.length === 3, 'the notices')
  expect(stranger.received).toEqual([])
  await stranger.bus.stop()
  await others.drop()
})

describe('a lost connection', () => {
  test.each(['pubsub', 'normal'] as const)(
    'a lost connection by CLIENT KILL TYPE %s reports a gap',
    async kind => {
      const channel_id = randomUUID()
      await watchFrom(there, channel_id)
      expect(there.gaps.at(-1)).toBe(true)
      const before = there.gaps.length
      await redis.client.call('CLIENT', 'KILL', 'TYPE', kind)
      await until(() => there.gaps.length >= before + 2, 'the gap')
      expect(there.gaps.slice(before, before + 2)).toEqual([false, true])
      await until(() => here.bus.connected, 'the other is back too')
      const notice = grown(channel_id, 1)
      here.bus.publish(notice)
      await until(() => there.received.length > 0, 'a notice after the gap')
      expect(there.received).toEqual([notice])
    },
  )

  test('an instance without Redis reaches the others through PostgreSQL', async () => {
    const channel_id = randomUUID()
    const cutOff = await startBus(`redis://127.0.0.1:${await freePort()}`)
    expect(cutOff.bus.connected).toBe(false)
    await watchFrom(there, channel_id)
    const notice = grown(channel_id, 1)
    cutOff.bus.publish(notice)
    await until(() => there.received.length > 0, 'the doorbell')
    expect(there.received).toEqual([withoutTurn(notice)])
  })

  test('notices that were being sent are repeated through PostgreSQL', async () => {
    const channel_id = randomUUID()
    await watchFrom(there, channel_id)
    redis.process().kill('SIGSTOP')
    const notice = grown(channel_id, 7)
    here.bus.publish(notice)
    await redis.kill()
    try {
      await until(() => there.received.length > 0, 'by PostgreSQL')
      expect(there.received.at(-1)).toEqual(withoutTurn(notice))
    } finally {
      await redis.start()
    }
  })

  test('without Redis at the start, the log is polled until Redis is there', async () => {
    await redis.kill()
    const early = await startBus()
    expect(early.bus.connected).toBe(false)
    expect(early.gaps.at(-1)).toBe(false)
    const channel_id = randomUUID()
    early.bus.watch(channel_id)
    await redis.start()
    await until(() => early.bus.connected && here.bus.connected, 'all are connected')
    expect(early.gaps.at(-1)).toBe(true)
    here.bus.publish(grown(channel_id, 1))
    await until(() => early.received.length === 1, 'what was watched before is watched now')
  })

  test('an unresponsive Redis counts as lost, and nothing waits for it', async () => {
    const channel_id = randomUUID()
    await watchFrom(there, channel_id)
    redis.process().kill('SIGSTOP')
    try {
      for (let seq = 1; seq <= 1_000; seq++) here.bus.publish(grown(channel_id, seq, 20_000))
      await until(() => !here.bus.connected && !there.bus.connected, 'given up')
      await until(() => there.received.length > 0, 'by PostgreSQL')
      expect(there.received.every(notice => notice.kind === 'grown' && !notice.turn)).toBe(true)
    } finally {
      redis.process().kill('SIGCONT')
    }
    await until(() => here.bus.connected && there.bus.connected, 'back')
  })
})

test('a password is never logged', async () => {
  const guarded = await startRedis(['--requirepass', 'open sesame'])
  afterTest(guarded.stop)
  const wrong = await startBus(guarded.url.replace('//', '//:hunter2@'))
  const none = await startBus(guarded.url)
  const granted = await startBus(guarded.url.replace('//', '//:open%20sesame@'))
  expect([wrong, none, granted].map(({ bus }) => bus.connected)).toEqual([false, false, true])
  expect(wrong.logged()).toContain('WRONGPASS')
  expect(none.logged()).toContain('NOAUTH')
  await guarded.kill()
  await until(() => !granted.bus.connected, 'lost')
  for (const { logged } of [wrong, granted]) expect(logged()).not.toMatch(/hunter2|sesame/)
})
