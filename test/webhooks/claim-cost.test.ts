// Counts the rows that a claim reads. The count must not grow with the number of pending deliveries.
import { randomUUID } from 'node:crypto'
import { beforeAll, expect, test } from 'vitest'
import type { Transaction } from '../../server/database/connect.ts'
import { claimInTransaction, readWaitingChannels } from '../../server/model/delivery-queue.ts'
import { newWorkspace, PUBLIC_URL } from '../support/queued.ts'
import { runDatabase } from '../support/running.ts'

const CHANNELS = 3_000
const WAITING = 30_000

const { sql } = await runDatabase()

beforeAll(async () => {
  const id = await newWorkspace(sql)
  await sql`
    insert into channels (id, workspace_id, name, icon, webhook_url)
    select gen_random_uuid(), ${id}, 'Channel', '📡', 'http://receiver.example/' from generate_series(1, ${CHANNELS})`
  await sql`
    insert into interactions (channel_id, number, interaction_id, type, trigger, timestamp)
    select id, n, gen_random_uuid(), 'reply', '{}', now() from channels, generate_series(1, ${WAITING / CHANNELS}) n`
  await sql`
    insert into webhook_deliveries (channel_id, id, number, url, body)
    select channel_id, gen_random_uuid(), number, 'http://receiver.example/', '{}' from interactions`
  await sql`insert into webhook_queues (channel_id) select id from channels`
  await sql`analyze`
}, 120_000)

/** Rows that this session has read so far, per table. Only the increase counts. */
async function rowsRead(tx: Transaction): Promise<Map<string, number>> {
  const tables = await tx<{ table: string; rows: number }[]>`
    select relname as table, (seq_tup_read + coalesce(idx_tup_fetch, 0))::integer as rows
    from pg_stat_xact_user_tables`
  return new Map(tables.map(({ table, rows }) => [table, rows]))
}

/** Claims up to half of the free slots, since all queues belong to one owner. */
async function claim(tx: Transaction, free: number): Promise<number> {
  const waiting = await readWaitingChannels(tx, { free, owners: [], busy: [], full: [] })
  const channel_ids = waiting.map(({ channel_id }) => channel_id)
  return (await claimInTransaction(tx, randomUUID(), channel_ids, PUBLIC_URL)).claimed.length
}

/** How many rows a claim of ten reads, per table. */
async function readByClaim(tx: Transaction, expected: number): Promise<Record<string, number>> {
  // After several runs PostgreSQL may switch to one plan for all values.
  for (let i = 0; i < 10; i++) await readWaitingChannels(tx, { free: 20, owners: [], busy: [], full: [] })
  const before = await rowsRead(tx)
  expect(await claim(tx, 20)).toBe(expected)
  const after = await rowsRead(tx)
  return Object.fromEntries([...after].map(([table, rows]) => [table, rows - (before.get(table) ?? 0)]))
}

test(`a claim of ten reads few rows while ${WAITING} deliveries are pending`, async () => {
  const read = await sql.begin(tx => readByClaim(tx, 10))
  for (const table of ['webhook_deliveries', 'interactions', 'webhook_queues'])
    expect(read[table]).toBeLessThan(100)
})

test('a claim without pending deliveries reads none', async () => {
  const read = await sql.begin(async tx => {
    await claim(tx, 2 * CHANNELS)
    return readByClaim(tx, 0)
  })
  expect(read.webhook_deliveries).toBe(0)
  expect(read.webhook_queues).toBeLessThanOrEqual(2 * CHANNELS)
})
