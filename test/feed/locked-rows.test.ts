// Turns that meet a row which another session has locked: they wait on separate connections.
import { randomUUID } from 'node:crypto'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { connect, type Sql } from '../../server/database/connect.ts'
import { CommitLoop } from '../../server/feed/log/commit.ts'
import { ASIDE_CONNECTIONS } from '../../server/feed/log/commit-aside.ts'
import type { StoredResponse } from '../../server/feed/log/stored-responses.ts'
import type { CommitResult, Turn } from '../../server/feed/log/turn.ts'
import { createTestDatabase, type TestDatabase } from '../support/database.ts'
import { countLockWaits, holdLocks } from '../support/locks.ts'
import {
  createChannelRows,
  createFeedRows,
  DAY,
  historyOf,
  NO_LIMITS,
  placeDocuments,
  turnOf,
} from './scripted.ts'

type Owned = { user_id: string; channel_id: string }

let database: TestDatabase
let locked: Owned
let free: Owned
let common: Sql
let aside: Sql
let loop: CommitLoop
let results: CommitResult['kind'][]

beforeEach(async () => {
  database = await createTestDatabase()
  locked = await createFeedRows(database.sql)
  free = await createFeedRows(database.sql)
  await placeDocuments(database.sql)
  common = connect(database.target, { max: 1 })
  aside = connect(database.target, { max: ASIDE_CONNECTIONS })
  results = []
  loop = new CommitLoop(common, NO_LIMITS, kind => results.push(kind), aside)
})
afterEach(async () => {
  await Promise.all([common.end({ timeout: 0 }), aside.end({ timeout: 0 })])
  await database.drop()
})

const turn = ({ user_id, channel_id }: Owned, fields: Partial<Turn> = {}) =>
  turnOf(historyOf(database), user_id, channel_id, fields)

async function seqOf({ channel_id }: Owned): Promise<number> {
  const [row] = await database.sql<{ seq: number }[]>`
    select seq from documents where channel_id = ${channel_id}`
  return row?.seq ?? 0
}

const response = (): StoredResponse => ({
  user_id: locked.user_id,
  method: 'POST',
  path: '/cards',
  key: 'k',
  body_hash: '00',
  status: 201,
  response: '{}',
})

const rename: Turn['also'][number] = async tx => {
  await tx`update channels set name = 'New' where id = ${locked.channel_id}`
}

/** The table of the row that another session locks, how it locks the row, and what the waiting turn has of its own. */
const cases: [table: string, hold: (sql: Sql) => Promise<unknown>, fields?: () => Partial<Turn>][] = [
  ['documents', sql => sql`select from documents where channel_id = ${locked.channel_id} for update`],
  [
    'daily_usage',
    sql => sql`insert into daily_usage ${sql({ user_id: locked.user_id, day: DAY, cards: 1, channels: 0 })}`,
  ],
  [
    'idempotency_keys',
    sql => sql`insert into idempotency_keys ${sql({ ...response(), body_hash: Buffer.from([0]) })}`,
    () => ({ responses: [response()] }),
  ],
  [
    'cards',
    sql => sql`
      insert into cards (channel_id, id, position, status, blocks, created_at, updated_at)
      values (${locked.channel_id}, ${randomUUID()}, 0, 'default', '[]', now(), now())`,
  ],
  ['users', sql => sql`select from users where id = ${locked.user_id} for update`],
  [
    'channels',
    sql => sql`select from channels where id = ${locked.channel_id} for update`,
    () => ({ also: [rename] }),
  ],
]

test.each(cases)(
  'P13: a locked %s row delays only its own turn, which is committed after the lock',
  async (_, hold, fields) => {
    const release = await holdLocks(database, hold)
    const waiting = loop.commit(turn(locked, fields?.()))
    const others = await Promise.all([loop.commit(turn(free)), loop.commit(turn(free, { known: 0 }))])
    expect(others.map(({ kind }) => kind)).toEqual(['committed', 'lost'])
    await expect.poll(() => countLockWaits(database.sql)).toBe(1)
    const later = await loop.commit(turn(free, { known: 2, known_clock: 100, inserted: [], card_count: 1 }))
    expect(later.kind).toBe('committed')
    await expect.poll(() => countLockWaits(database.sql)).toBe(1)
    await release()
    expect((await waiting).kind).toBe('committed')
    expect(await seqOf(locked)).toBe(2)
  },
)

test('P13: fifty locked channels do not delay fourteen others of their statement', async () => {
  const doomed = await channelsOf(locked, 50)
  const healthy = await channelsOf(free, 14)
  const release = await holdLocks(
    database,
    sql => sql`
      select from documents where channel_id = any(${doomed.map(one => one.channel_id)}::uuid[]) for update`,
  )
  // The first turn is committed alone, and all others wait for it together.
  const first = loop.commit(turn(free))
  const waiting = doomed.map(one => loop.commit(turn(one)))
  const done = await Promise.all(healthy.map(one => loop.commit(turn(one))))
  expect(done.map(({ kind }) => kind)).toEqual(done.map(() => 'committed'))
  expect((await first).kind).toBe('committed')
  expect(results).toHaveLength(15)
  await release()
  expect((await Promise.all(waiting)).map(({ kind }) => kind)).toEqual(waiting.map(() => 'committed'))
  expect(await Promise.all([...doomed, ...healthy].map(seqOf))).toEqual(Array(64).fill(2))
})

test("a turn that stays locked writes nothing, and its channel's next turn waits on a separate connection", async () => {
  const release = await holdLocks(
    database,
    sql => sql`select from documents where channel_id = ${locked.channel_id} for update`,
  )
  expect(await loop.commit(turn(locked), 300)).toEqual({ kind: 'unavailable' })
  // Without the common connection, only a separate one can commit this turn.
  await common.end({ timeout: 0 })
  const waiting = loop.commit(turn(locked))
  await expect.poll(() => countLockWaits(database.sql)).toBe(1)
  await release()
  expect((await waiting).kind).toBe('committed')
  expect(await seqOf(locked)).toBe(2)
  const [cards] = await database.sql`select count(*)::integer as count from cards`
  expect(cards).toEqual({ count: 1 })
})

test('a full disk fails a statement after four tries, not one per turn', async () => {
  const owned = await channelsOf(free, 40)
  await database.sql`create sequence tries`
  await database.sql`
    create function full_disk() returns trigger language plpgsql as $$
    begin
      perform nextval('tries');
      raise exception using errcode = '53100', message = 'could not extend file';
    end $$`
  await database.sql`
    create trigger full_disk before insert on document_updates execute function full_disk()`
  const commits = await Promise.all(owned.map(one => loop.commit(turn(one))))
  expect(commits).toEqual(commits.map(() => ({ kind: 'unavailable' })))
  // The first turn was tried alone, the others together and in two halves.
  expect(await database.sql`select last_value as tries from tries`).toEqual([{ tries: 4 }])
})

async function channelsOf({ user_id }: Owned, count: number): Promise<Owned[]> {
  const [workspace] = await database.sql<{ id: string }[]>`
    select id from workspaces where user_id = ${user_id}`
  const made: Owned[] = []
  while (made.length < count)
    made.push({ user_id, channel_id: await createChannelRows(database.sql, workspace?.id ?? '') })
  await placeDocuments(database.sql)
  return made
}
