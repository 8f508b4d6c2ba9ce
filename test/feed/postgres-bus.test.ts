// The bus on LISTEN and NOTIFY: a notice arrives, or the bus reports a gap.
import { randomUUID } from 'node:crypto'
import { pino } from 'pino'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { Bus, BusNotice } from '../../server/bus/bus.ts'
import { startPostgresBus } from '../../server/bus/postgres-bus.ts'
import { connect } from '../../server/database/connect.ts'
import { createTestDatabase, type TestDatabase } from '../support/database.ts'
import { until } from '../support/viewer.ts'

let database: TestDatabase
let here: Bus
let there: Bus
let received: BusNotice[]
let gaps: boolean[]

beforeEach(async () => {
  database = await createTestDatabase()
  received = []
  gaps = []
  const log = pino({ level: 'silent' })
  const { sql, target } = database
  const ignore = { receive: () => {}, gap: () => {}, watching: () => {} }
  here = await startPostgresBus({ sql, target, events: ignore, log })
  const events = {
    receive: (notice: BusNotice) => received.push(notice),
    gap: (up: boolean) => gaps.push(up),
  }
  there = await startPostgresBus({ sql, target, events: { ...ignore, ...events }, log })
})
afterEach(async () => {
  await here.stop()
  await there.stop()
  await database.drop()
})

const grown = (seq: number, channel_id: string = randomUUID()): BusNotice => ({
  kind: 'grown',
  channel_id,
  epoch: 0,
  seq,
})

test('notices arrive in batches: the last one of a growing document, and all others', async () => {
  const channel_id = randomUUID()
  const ended = Array.from({ length: 100 }, (): BusNotice => ({ kind: 'key_ended', key_id: randomUUID() }))
  for (const notice of ended) here.publish(notice)
  for (let seq = 1; seq <= 50; seq++) here.publish(grown(seq, channel_id))
  await until(() => received.length === 101, 'all are received')
  expect(received).toEqual([...ended, grown(50, channel_id)])
})

test('documents that grew just before another instance was first heard are announced to it', async () => {
  const log = pino({ level: 'silent' })
  const empty = await createTestDatabase()
  const { sql, target } = empty
  const ignore = { receive: () => {}, gap: () => {}, watching: () => {} }
  const first = await startPostgresBus({ sql, target, events: ignore, log })
  first.publish(grown(7))
  const heard: BusNotice[] = []
  const events = { ...ignore, receive: (notice: BusNotice) => heard.push(notice) }
  const second = await startPostgresBus({ sql, target, events, log })
  await until(() => heard.length > 0, 'the notice')
  expect(heard).toMatchObject([{ seq: 7 }])
  await Promise.all([first.stop(), second.stop()])
  await empty.drop()
})

test('foreign messages are ignored', async () => {
  for (const text of ['junk', '{}', '[]', 'null', '{"from":1}', '{"from":"x","notices":[{"kind":"new"}]}'])
    await database.sql`select pg_notify('channel_feed', ${text})`
  here.publish(grown(1))
  await until(() => received.length > 0, 'the notice')
  expect(received).toHaveLength(1)
  expect(there.connected).toBe(true)
})

test('a cut connection reports a gap before it counts as connected', async () => {
  expect(gaps).toEqual([true])
  await database.sql`
    select pg_terminate_backend(pid) from pg_stat_activity
    where datname = current_database() and query ilike 'listen%'`
  await until(() => gaps.length >= 3, 'the gap')
  expect(gaps.slice(0, 3)).toEqual([true, false, true])
  here.publish(grown(2))
  await until(() => received.length > 0, 'a notice after the gap')
})

test('a notice that could not be sent is repeated', async () => {
  const notice: BusNotice = { kind: 'key_ended', key_id: randomUUID() }
  // A separate pool: the pool that is cut may still have a connection that was cut in the round before.
  const killer = connect(database.target, { max: 1 })
  for (let i = 0; i < 5; i++) {
    here.publish(notice)
    await killer`
      select pg_terminate_backend(pid) from pg_stat_activity
      where datname = current_database() and pid <> pg_backend_pid() and query not ilike 'listen%'`
    await until(() => received.length > i, 'the notice')
  }
  await killer.end()
})

test('behind a pooler that passes notices, the bus comes back however long it was down', async () => {
  const { socket_dir, database: name } = database.target
  const url = `postgres:///${name}?host=${socket_dir}&user=app`
  let isDown = false
  const sql = new Proxy(database.sql, {
    apply: (query, self, args) =>
      isDown ? Promise.reject(new Error('down')) : Reflect.apply(query, self, args),
  })
  const lines: string[] = []
  const log = pino({}, { write: line => lines.push(line) })
  const events = { receive: () => {}, gap: () => {}, watching: () => {} }
  const bus = await startPostgresBus({ sql, target: { url, pooled: true }, events, log })
  await until(() => bus.connected, 'it hears itself')
  isDown = true
  const warnings = () => lines.filter(line => line.includes('is down')).length
  await until(() => warnings() === 2, 'it has listened again without success')
  isDown = false
  await until(() => bus.connected, 'it hears itself again')
  await bus.stop()
})
