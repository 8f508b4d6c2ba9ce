import { randomUUID } from 'node:crypto'
import { beforeEach, describe, expect, test } from 'vitest'
import { bearerKey, createKeyRing } from '../../server/auth/api-keys.ts'
import { createApiKey, deleteApiKey, listApiKeys } from '../../server/model/api-keys.ts'
import { createUser } from '../../server/model/users.ts'
import { type CreateApiKeyBody, type CreatedApiKey, createApiKeyBody } from '../../shared/api-key.ts'
import { runDatabase } from '../support/running.ts'
import { times } from '../support/times.ts'
import { countQueries } from './count-queries.ts'

const database = await runDatabase()
const ann = { email: 'ann@example.com', name: 'Ann', password_hash: 'x' }
const { id: user_id } = await createUser(database.sql, ann)
let now = 0
/** How far the wall clock is ahead, in milliseconds. */
let jumped = 0

beforeEach(() => {
  now = Date.now()
  jumped = 0
})

function setUp(options: { cache_max?: number } = {}) {
  const counted = countQueries(database.sql)
  return {
    counted,
    ring: createKeyRing(counted.sql, { now: () => now + jumped, elapsed: () => now, ...options }),
  }
}

function buildKey(overrides: Partial<CreateApiKeyBody> = {}): Promise<CreatedApiKey> {
  return createApiKey(database.sql, user_id, { ...createApiKeyBody.parse({ name: 'Script' }), ...overrides })
}

async function setUpCached(overrides: Partial<CreateApiKeyBody> = {}) {
  const { ring, counted } = setUp()
  const { id, key } = await buildKey(overrides)
  await ring.check(key)
  return { ring, counted, id, key }
}

describe('a cached key', () => {
  test('a cached key is accepted at once, without a query', async () => {
    const { ring, counted } = setUp()
    const { id, key } = await buildKey({ scope: 'write' })
    const expected = { id, user_id, scope: 'write', workspace_id: null, expires_at: null }
    expect(await ring.check(key)).toEqual(expected)
    expect(counted.queries()).toBe(1)
    expect(ring.check(key)).toEqual(expected)
    expect(counted.queries()).toBe(1)
  })

  test('a cached key is read once for many concurrent requests', async () => {
    const { ring, counted } = setUp()
    const { id, key } = await buildKey()
    const found = await times(20, () => ring.check(key))
    expect(found.map(entry => entry?.id)).toEqual(Array(20).fill(id))
    expect(counted.queries()).toBe(1)
  })

  test('a cached key is rejected from the millisecond it expires', async () => {
    const { ring, counted, key } = await setUpCached({ expires_at: new Date(now + 1_000).toISOString() })
    now += 999
    expect(ring.check(key)).toMatchObject({ expires_at: now + 1 })
    now += 1
    expect(ring.check(key)).toBeNull()
    expect(counted.queries()).toBe(1)
    expect(await setUp().ring.check(key)).toBeNull()
  })

  test('a cached key is evicted first if it is the least recently used', async () => {
    const { ring, counted } = setUp({ cache_max: 2 })
    const [a, b, c] = await Promise.all([buildKey(), buildKey(), buildKey()])
    await ring.check(a.key)
    await ring.check(b.key)
    ring.check(a.key)
    await ring.check(c.key)
    expect(counted.queries()).toBe(3)
    expect(ring.check(a.key)).toMatchObject({ id: a.id })
    expect(ring.check(c.key)).toMatchObject({ id: c.id })
    await ring.check(b.key)
    expect(counted.queries()).toBe(4)
  })
})

describe('a key that was read more than a minute ago', () => {
  test('a key that was read more than a minute ago is read again once', async () => {
    const { ring, counted, id, key } = await setUpCached()
    now += 60_000
    expect(ring.check(key)).toMatchObject({ id })
    now += 1
    expect(await ring.check(key)).toMatchObject({ id })
    expect(ring.check(key)).toMatchObject({ id })
    expect(counted.queries()).toBe(2)
  })

  test('a key that was read more than a minute ago is rejected if it was deleted without a notice', async () => {
    const { ring, id, key } = await setUpCached()
    await deleteApiKey(database.sql, user_id, id)
    now += 60_001
    expect(await ring.check(key)).toBeNull()
  })
})

describe('an unknown key', () => {
  const [long, foreign, accented] = [`cf_${'a'.repeat(44)}`, `xx_${'a'.repeat(43)}`, `cf_${'é'.repeat(43)}`]
  test.each(['cf_', '', 'cf_short', long, foreign, accented])(
    'an unknown key of another form (%s) costs no query',
    presented => {
      const { ring, counted } = setUp()
      expect(ring.check(presented)).toBeNull()
      expect(counted.queries()).toBe(0)
    },
  )

  test('an unknown key is rejected even in the correct format', async () => {
    expect(await setUp().ring.check(`cf_${'a'.repeat(43)}`)).toBeNull()
  })
})

describe('a deleted key', () => {
  test('a deleted key is rejected at once after it is forgotten', async () => {
    const { ring, id, key } = await setUpCached()
    const other = await buildKey()
    await ring.check(other.key)
    await deleteApiKey(database.sql, user_id, id)
    ring.forget(id)
    expect(await ring.check(key)).toBeNull()
    expect(ring.check(other.key)).toMatchObject({ id: other.id })
  })

  test('a deleted key is not cached again by a query that began before the deletion', async () => {
    const { ring, counted } = setUp()
    const { id, key } = await buildKey()
    const held = counted.hold()
    const found = ring.check(key)
    await held.answered
    await deleteApiKey(database.sql, user_id, id)
    ring.forget(id)
    held.release()
    expect(await found).toBeNull()
    expect(await ring.check(key)).toBeNull()
    expect(counted.queries()).toBe(3)
  })

  test('a deleted key is forgotten with its workspace, and with all keys', async () => {
    const { ring, counted } = setUp()
    const workspace_id = randomUUID()
    await database.sql`
      insert into workspaces (id, user_id, name, slug, icon)
      values (${workspace_id}, ${user_id}, 'W', ${workspace_id}, '🏢')`
    const [confined, free] = await Promise.all([buildKey({ workspace_id }), buildKey()])
    await ring.check(confined.key)
    await ring.check(free.key)
    await database.sql`delete from workspaces where id = ${workspace_id}`
    ring.forgetWorkspace(workspace_id)
    expect(await ring.check(confined.key)).toBeNull()
    expect(ring.check(free.key)).toMatchObject({ id: free.id })
    const before = counted.queries()
    ring.forgetAll()
    expect(await ring.check(free.key)).toMatchObject({ id: free.id })
    expect(counted.queries()).toBe(before + 1)
  })
})

describe('a disconnected bus', () => {
  test.each([0, -3_600_000])(
    'a key is read again after a second even if the wall clock jumps by %i',
    async jump => {
      const { ring, id, key } = await setUpCached()
      ring.busConnected(false)
      await deleteApiKey(database.sql, user_id, id)
      now += 1_000
      expect(ring.check(key)).toMatchObject({ id })
      now += 1
      jumped = jump
      expect(await ring.check(key)).toBeNull()
    },
  )

  test('a valid key costs one query per second, and none once the bus is connected', async () => {
    const { ring, counted } = setUp()
    const { id, key } = await buildKey()
    ring.busConnected(false)
    await ring.check(key)
    now += 1_001
    expect(await ring.check(key)).toMatchObject({ id })
    expect(ring.check(key)).toMatchObject({ id })
    expect(counted.queries()).toBe(2)
    ring.busConnected(true)
    await ring.check(key)
    now += 60_000
    expect(ring.check(key)).toMatchObject({ id })
    expect(counted.queries()).toBe(3)
  })

  test('a key deleted meanwhile is rejected as soon as the bus is connected again', async () => {
    const { ring, id, key } = await setUpCached()
    ring.busConnected(false)
    await deleteApiKey(database.sql, user_id, id)
    ring.busConnected(true)
    expect(await ring.check(key)).toBeNull()
  })
})

describe('`last_used_at`', () => {
  const lastUsed = async (id: string) =>
    (await listApiKeys(database.sql, user_id)).find(key => key.id === id)?.last_used_at

  test('`last_used_at` is written in one statement for all keys, at most once a minute each', async () => {
    const { ring, counted } = setUp()
    const [a, b] = await Promise.all([buildKey(), buildKey()])
    await ring.check(a.key)
    await ring.check(b.key)
    const first = new Date(now).toISOString()
    await ring.flush()
    expect(counted.queries()).toBe(3)
    expect([await lastUsed(a.id), await lastUsed(b.id)]).toEqual([first, first])
    now += 59_999
    ring.check(a.key)
    await ring.flush()
    expect(counted.queries()).toBe(3)
    now += 1
    ring.check(a.key)
    await ring.flush()
    expect([await lastUsed(a.id), await lastUsed(b.id)]).toEqual([new Date(now).toISOString(), first])
  })

  test('`last_used_at` is written as often if the wall clock jumps', async () => {
    const { ring, counted, id, key } = await setUpCached()
    await ring.flush()
    const before = counted.queries()
    jumped = 3_600_000
    ring.check(key)
    await ring.flush()
    expect(counted.queries()).toBe(before)
    now += 60_000
    ring.check(key)
    await ring.flush()
    expect(await lastUsed(id)).toBe(new Date(now + jumped).toISOString())
  })

  test('`last_used_at` is written soon without a flush', async () => {
    const { id } = await setUpCached()
    await expect.poll(() => lastUsed(id)).toBe(new Date(now).toISOString())
  })

  test('`last_used_at` stays null for a key that was only rejected', async () => {
    const { ring } = setUp()
    const { id, key } = await buildKey({ expires_at: new Date(now + 1).toISOString() })
    now += 1
    await ring.check(key)
    await ring.flush()
    expect(await lastUsed(id)).toBeNull()
  })
})

test.each([
  ['Bearer cf_abc', 'cf_abc'],
  ['bearer  cf_abc ', 'cf_abc'],
  ['Basic cf_abc', null],
  ['Bearer', null],
  ['Bearer a b', null],
  ['cf_abc', null],
  [undefined, null],
])('the key in the header "%s" is %s', (header, expected) => {
  expect(bearerKey(header)).toBe(expected)
})
