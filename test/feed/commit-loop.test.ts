// Group commit on a real PostgreSQL: turns of many channels in one statement, each with its own result.
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { Transaction } from '../../server/database/connect.ts'
import { CommitLoop } from '../../server/feed/log/commit.ts'
import type { Turn } from '../../server/feed/log/turn.ts'
import { createTestDatabase, type TestDatabase } from '../support/database.ts'
import {
  createChannelRows,
  createFeedRows,
  DAY,
  historyOf,
  NO_LIMITS,
  placeDocuments,
  turnOf,
} from './scripted.ts'

let database: TestDatabase
let user_id: string
let channels: string[]

beforeEach(async () => {
  database = await createTestDatabase()
  const first = await createFeedRows(database.sql)
  user_id = first.user_id
  const [workspace] = await database.sql<{ id: string }[]>`select id from workspaces`
  channels = [first.channel_id]
  while (channels.length < 3) channels.push(await createChannelRows(database.sql, workspace?.id ?? ''))
  await placeDocuments(database.sql)
})
afterEach(() => database.drop())

const turn = (channel_id: string, fields: Partial<Turn> = {}) =>
  turnOf(historyOf(database), user_id, channel_id, fields)

async function heads(): Promise<number[]> {
  const rows = await database.sql<
    { channel_id: string; seq: number }[]
  >`select channel_id, seq from documents`
  return channels.map(id => rows.find(({ channel_id }) => channel_id === id)?.seq ?? 0)
}

const commitAll = async (loop: CommitLoop, turns: Turn[]) =>
  (await Promise.all(turns.map(turn => loop.commit(turn)))).map(({ kind }) => kind)

const counted = async (table: string) => {
  const [row] = await database.sql<{ rows: number }[]>`
    select count(*)::integer as rows from ${database.sql(table)}`
  return row?.rows
}

test('one statement commits all turns that are ready, and returns the daily usage after each', async () => {
  const loop = new CommitLoop(database.sql, { ...NO_LIMITS, cards: 10 })
  const results = await Promise.all(channels.map(id => loop.commit(turn(id))))
  expect(results).toEqual([1, 2, 3].map(used => ({ kind: 'committed', used })))
  expect(await heads()).toEqual([2, 2, 2])
  expect(await counted('cards')).toBe(3)
})

test('a turn made on an old log is lost, and other turns of its statement are committed', async () => {
  const loop = new CommitLoop(database.sql, NO_LIMITS)
  const turns = channels.map((id, i) => turn(id, i === 1 ? { known: 0 } : {}))
  expect(await commitAll(loop, turns)).toEqual(['committed', 'lost', 'committed'])
  expect(await heads()).toEqual([2, 1, 2])
  expect(await counted('cards')).toBe(2)
  expect((await loop.commit(turn(channels[1] ?? '', { epoch: 1 }))).kind).toBe('lost')
})

test('if two loops append to one log, one turn is committed and the other is lost', async () => {
  const loops = [new CommitLoop(database.sql, NO_LIMITS), new CommitLoop(database.sql, NO_LIMITS)]
  const results = await Promise.all(loops.map(loop => loop.commit(turn(channels[0] ?? ''))))
  expect(results.map(({ kind }) => kind).sort()).toEqual(['committed', 'lost'])
  expect(await counted('cards')).toBe(1)
})

test('the quota counts all channels: turns within it are committed, and others write nothing', async () => {
  const loop = new CommitLoop(database.sql, { ...NO_LIMITS, cards: 2 })
  const kinds = await commitAll(
    loop,
    channels.map(id => turn(id)),
  )
  expect(kinds.sort()).toEqual(['committed', 'committed', 'over_quota'])
  expect(await counted('cards')).toBe(2)
  const [usage] =
    await database.sql`select cards from daily_usage where user_id = ${user_id} and day = ${DAY}`
  expect(usage).toEqual({ cards: 2 })
})

test('a response under a taken key fails only its own turn', async () => {
  const loop = new CommitLoop(database.sql, NO_LIMITS)
  const response = {
    user_id,
    method: 'POST',
    path: '/',
    key: 'k',
    body_hash: '00',
    status: 201 as const,
    response: '{}',
  }
  expect((await loop.commit(turn(channels[0] ?? '', { responses: [response] }))).kind).toBe('committed')
  const turns = [
    turn(channels[1] ?? '', { responses: [response] }),
    turn(channels[2] ?? '', { responses: [{ ...response, key: 'other' }] }),
  ]
  expect(await commitAll(loop, turns)).toEqual(['key_taken', 'committed'])
  await database.sql`update idempotency_keys set created_at = now() - interval '25 hours'`
  expect((await loop.commit(turn(channels[1] ?? '', { responses: [response] }))).kind).toBe('committed')
})

test("a turn that writes other rows doesn't make another channel of its owner wait", async () => {
  const loop = new CommitLoop(database.sql, { ...NO_LIMITS, cards: 10 })
  const [first = '', second = ''] = channels
  const results: unknown[] = []
  // Both channels share the owner's usage of the day. `wait_ms` is short: a wait for the first turn can't end well.
  const also: Turn['also'] = [
    async () => {
      results.push(await loop.commit(turn(second), 300))
    },
  ]
  results.push(await loop.commit(turn(first, { also })))
  expect(results).toEqual([1, 2].map(used => ({ kind: 'committed', used })))
})

test('what the rows of a turn add to the day is counted last', async () => {
  const loop = new CommitLoop(database.sql, { ...NO_LIMITS, bytes: 250 })
  const [first = '', second = '', third = ''] = channels
  const results: unknown[] = []
  const also: Turn['also'] = [
    async () => 50,
    async () => {
      results.push(await loop.commit(turn(second), 300))
    },
  ]
  results.push(await loop.commit(turn(first, { also })))
  expect(results).toEqual([1, 2].map(used => ({ kind: 'committed', used })))
  expect(await database.sql`select bytes from daily_usage`).toEqual([{ bytes: 250 }])
  const press = { inserted: [], spent: { user_id, day: DAY, cards: 0, bytes: 0 }, also: [async () => 1] }
  expect(await loop.commit(turn(third, press))).toEqual({ kind: 'over_quota' })
  expect(await heads()).toEqual([2, 2, 1])
})

test('a turn that writes other rows is counted, and beyond the quota it writes nothing', async () => {
  const loop = new CommitLoop(database.sql, { ...NO_LIMITS, cards: 1 })
  const [first = '', second = ''] = channels
  const also: Turn['also'] = [async () => {}]
  expect(await commitAll(loop, [turn(first, { also })])).toEqual(['committed'])
  expect(await commitAll(loop, [turn(second, { also })])).toEqual(['over_quota'])
  expect(await heads()).toEqual([2, 1, 1])
})

test('other rows are written only if their turn is committed', async () => {
  const loop = new CommitLoop(database.sql, NO_LIMITS)
  const [a = '', b = ''] = channels
  const rename = async (tx: Transaction, id: string) => {
    await tx`update channels set name = 'A' where id = ${id}`
    if (id === b) throw new Error('failed')
  }
  const turns = [a, b].map(id => turn(id, { also: [async tx => void (await rename(tx, id))] }))
  expect(await commitAll(loop, turns)).toEqual(['committed', 'failed'])
  const names = await database.sql<{ name: string }[]>`select name from channels order by name`
  expect(names.map(({ name }) => name)).toEqual(['A', 'Channel', 'Channel'])
  expect(await heads()).toEqual([2, 1, 1])
})

test('a commit whose connection is cut has an unknown result', async () => {
  const loop = new CommitLoop(database.sql, NO_LIMITS)
  const cut = turn(channels[0] ?? '', {
    also: [async tx => void (await tx`select pg_terminate_backend(pg_backend_pid())`)],
  })
  const result = await loop.commit(cut)
  expect(result.kind).toBe('unknown')
  expect(await heads()).toEqual([1, 1, 1])
  expect((await loop.commit(turn(channels[0] ?? ''))).kind).toBe('committed')
})
