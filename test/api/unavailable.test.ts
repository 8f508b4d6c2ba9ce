// While the database is unavailable, requests return 503 and viewers stay connected; then the service recovers.
import { afterEach, beforeEach, expect, inject, test } from 'vitest'
import { connect, type Sql } from '../../server/database/connect.ts'
import { type Account, createAccount, createTestKey } from '../support/account.ts'
import { createTestChannel, pushCard, textCard } from '../support/cards.ts'
import { failed } from '../support/errors.ts'
import { countLockWaits, holdLocks } from '../support/locks.ts'
import { enter, statusFor } from '../support/pass.ts'
import { type Answer, startTestService, type TestService } from '../support/service.ts'
import { openSocket } from '../support/viewer.ts'

let service: TestService
let ann: Account
let cards: string
let channel_id: string
/** Outside the service's database. */
let admin: Sql

beforeEach(async () => {
  service = await startTestService({ WORKSPACE_LIMIT: '0' })
  ann = await createAccount(service)
  cards = await createTestChannel(ann)
  channel_id = cards.split('/')[2] ?? ''
  admin = connect({ socket_dir: inject('socket_dir') }, { max: 1 })
})
afterEach(async () => {
  await admin.end()
  await service.stop()
})

const unavailable = failed(503, 'Service unavailable')

function expectUnavailable(response: Answer): void {
  expect(response).toMatchObject(unavailable)
  expect(response.headers.get('Retry-After')).toMatch(/^\d+$/)
}

const database = () => admin(service.database.target.database)

const lockDocument = () =>
  holdLocks(service.database, sql => sql`select from documents where channel_id = ${channel_id} for update`)

async function endSessions(): Promise<void> {
  await admin`
    select pg_terminate_backend(pid) from pg_stat_activity where datname = ${service.database.target.database}`
}

async function backToNormal(): Promise<void> {
  await expect.poll(async () => (await ann.key('POST', cards, textCard())).status).toBe(201)
  await expect
    .poll(async () => (await ann.session('POST', '/workspaces', { name: 'Healed' })).status)
    .toBe(201)
}

test('P14: without database connections, reads and writes return 503 and viewers stay', async () => {
  await ann.session('PATCH', `/workspaces/${ann.workspace_id}`, { visibility: 'public' })
  const expires_at = Date.now() + 3_000
  const { key: token } = await createTestKey(ann.session, { expires_at: new Date(expires_at).toISOString() })
  const viewer = await enter(service.url, channel_id, {})
  const ending = await enter(service.url, channel_id, { token })
  const asking = await openSocket(service.url, `/sync/${channel_id}`)
  await admin`alter database ${database()} allow_connections false`
  await endSessions()
  const FIRST_STEP = new Uint8Array([0, 0, 1, 0])
  asking.socket.send(FIRST_STEP)
  const writes = [0, 1, 2].map(() => ann.key('POST', cards, textCard()))
  for (const [method, path] of [
    ['GET', `/channels/${channel_id}`],
    ['POST', '/workspaces'],
    ['PUT', `/channels/${channel_id}/attributes`],
  ] as const)
    expectUnavailable(await ann.session(method, path, method === 'GET' ? undefined : { name: 'A' }))
  expect(await statusFor(service.url, channel_id, {})).toBe(503)
  for (const response of await Promise.all(writes)) expectUnavailable(response)
  // The key expires meanwhile. Its viewer is closed when the database is back.
  await expect.poll(() => Date.now() - expires_at).toBeGreaterThan(1_500)
  expect([viewer.isOpen(), ending.isOpen()]).toEqual([true, true])
  expect(asking.socket.readyState).toBe(asking.socket.OPEN)
  await admin`alter database ${database()} allow_connections true`
  await backToNormal()
  await expect.poll(() => asking.frames.length).toBeGreaterThan(0)
  asking.socket.terminate()
  expect(await ending.closed).toBe(4401)
  expect(viewer.isOpen()).toBe(true)
})

test('P14: a read-only database serves reads; writes return 503 until it is writable', async () => {
  await pushCard(ann.key, cards)
  await admin`alter database ${database()} set default_transaction_read_only = on`
  await endSessions()
  await expect.poll(async () => (await ann.key('GET', cards)).status).toBe(200)
  expectUnavailable(await ann.key('POST', cards, textCard()))
  expectUnavailable(await ann.session('POST', '/workspaces', { name: 'B' }))
  expect((await ann.key('GET', cards)).status).toBe(200)
  await admin`alter database ${database()} reset default_transaction_read_only`
  await backToNormal()
})

test('P14: with a full disk writes return 503, and succeed when there is space', async () => {
  const { sql } = service
  await sql`
    create function full_disk() returns trigger language plpgsql as $$
    begin raise exception using errcode = '53100', message = 'could not extend file'; end $$`
  for (const table of ['cards', 'workspaces'])
    await sql`create trigger full_disk before insert on ${sql(table)} execute function full_disk()`
  expectUnavailable(await ann.session('POST', '/workspaces', { name: 'B' }))
  expectUnavailable(await ann.key('POST', cards, textCard()))
  await sql`drop function full_disk cascade`
  await backToNormal()
})

test('P14: a silent database gets 503', async () => {
  const letGo = await holdLocks(
    service.database,
    sql => sql`lock table workspaces, documents in access exclusive mode`,
  )
  const responses = await Promise.all([
    ann.session('GET', '/workspaces'),
    ann.session('POST', '/workspaces', { name: 'B' }),
    ann.key('POST', cards, textCard()),
  ])
  for (const response of responses) expectUnavailable(response)
  await letGo()
  await backToNormal()
})

test('a commit that an administrator cancels is retried and takes effect once', async () => {
  const letGo = await lockDocument()
  const write = ann.key('POST', cards, textCard())
  await expect.poll(() => cancelWaiting(service.sql)).toBeGreaterThan(0)
  await expect.poll(() => countLockWaits(service.sql)).toBe(1)
  await letGo()
  expect((await write).status).toBe(201)
  expect((await ann.key<{ cards: unknown[] }>('GET', cards)).body.cards).toHaveLength(1)
})

test('P13: a write to a locked channel returns 503 without delaying other channels', async () => {
  const other = await createTestChannel(ann)
  const letGo = await lockDocument()
  const writes = [
    ann.key('POST', cards, textCard()),
    ann.key('PATCH', `/channels/${channel_id}`, { name: 'New' }),
  ]
  let pushed = 0
  let finished = false
  const pushes = (async () => {
    for (; !finished; pushed++) expect((await ann.key('POST', other, textCard())).status).toBe(201)
  })()
  for (const response of await Promise.all(writes)) expectUnavailable(response)
  finished = true
  await pushes
  expect(pushed).toBeGreaterThan(1)
  await letGo()
  await backToNormal()
  expect((await ann.key<{ cards: unknown[] }>('GET', cards)).body.cards).toHaveLength(1)
})

async function cancelWaiting(sql: Sql): Promise<number> {
  const cancelled = await sql`
    select pg_cancel_backend(pid) from pg_stat_activity
    where datname = current_database() and wait_event_type = 'Lock'`
  return cancelled.length
}
