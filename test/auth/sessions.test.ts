import { randomUUID } from 'node:crypto'
import { beforeEach, describe, expect, test } from 'vitest'
import { createSessions, parseSessionCookie } from '../../server/auth/sessions.ts'
import { sign } from '../../server/auth/tokens.ts'
import { createUser, patchUser } from '../../server/model/users.ts'
import type { User } from '../../shared/user.ts'
import { countLockWaits } from '../support/locks.ts'
import { runDatabase } from '../support/running.ts'
import { countQueries } from './count-queries.ts'

const DAY = 24 * 3_600_000
const secret = 'a secret of some length'

const database = await runDatabase()
let user: User
let now = Date.parse('2026-01-31T12:00:00.000Z')

beforeEach(async () => {
  now = Date.parse('2026-01-31T12:00:00.000Z')
  user = await buildUser()
})

const buildUser = () =>
  createUser(database.sql, { email: `${randomUUID()}@example.com`, name: 'Ann', password_hash: 'x' })

function setUp(secure = false) {
  const counted = countQueries(database.sql)
  return { counted, sessions: createSessions(counted.sql, secret, secure, () => now) }
}

/** The Cookie header that a browser would send. */
const cookie = (set_cookie: string) => set_cookie.split(';')[0] ?? ''

async function readRow(id: string) {
  const [row] = await database.sql<{ token_hash: Buffer; user_agent: string; last_used_at: string }[]>`
    select * from sessions where id = ${id}`
  return row
}

describe('the cookie', () => {
  test('the session cookie is HttpOnly and SameSite=Lax for the whole site', async () => {
    const { set_cookie } = await setUp().sessions.create(user.id)
    expect(set_cookie).toMatch(
      /^session=[\w-]{43}\.[\w-]{43}; Max-Age=34560000; Path=\/; HttpOnly; SameSite=Lax$/,
    )
  })

  test('the session cookie is Secure on https, and bound to this host', async () => {
    const { sessions } = setUp(true)
    const { set_cookie } = await sessions.create(user.id)
    expect(set_cookie).toMatch(/^__Host-session=.*; Path=\/; HttpOnly; SameSite=Lax; Secure$/)
    expect(await sessions.find(cookie(set_cookie))).toMatchObject({ user })
    expect(await sessions.find(cookie(set_cookie).replace('__Host-', ''))).toBeNull()
  })

  test('the session cookie is found among others, even after a forged one of the same name', () => {
    const value = sign(secret, 'session', 'token')
    const header = `theme=dark; session=forged.signature; session=${value}; other=1`
    expect(parseSessionCookie(header, 'session', secret)).toBe('token')
  })

  test.each([[undefined], [''], ['session'], ['session='], ['=;;='], ['other=1'], ['session=token.']])(
    'header %s names no session',
    header => {
      expect(parseSessionCookie(header, 'session', secret)).toBeNull()
    },
  )

  test('the session cookie costs no query if it is forged', async () => {
    const { sessions, counted } = setUp()
    const forged = `session=${sign('another secret', 'session', 'A'.repeat(43))}`
    expect(await sessions.find(forged)).toBeNull()
    expect(counted.queries()).toBe(0)
  })
})

describe('a session', () => {
  test('a session is found with its user by one query', async () => {
    const { sessions, counted } = setUp()
    const created = await sessions.create(user.id)
    const before = counted.queries()
    expect(await sessions.find(cookie(created.set_cookie))).toEqual({ id: created.id, user })
    expect(counted.queries() - before).toBe(1)
  })

  test('a session is stored only as a hash of its token', async () => {
    const { set_cookie, id } = await setUp().sessions.create(user.id, undefined, 'A browser')
    const token = cookie(set_cookie).slice('session='.length).split('.')[0] ?? ''
    const row = await readRow(id)
    expect(row?.token_hash).toHaveLength(32)
    expect(row?.user_agent).toBe('A browser')
    expect(JSON.stringify(row)).not.toContain(token)
  })

  test('a session ends 30 days after its last use', async () => {
    const { sessions } = setUp()
    const { set_cookie } = await sessions.create(user.id)
    for (let uses = 0; uses < 2; uses++) {
      now += 30 * DAY - 1
      expect(await sessions.find(cookie(set_cookie))).not.toBeNull()
    }
    now += 30 * DAY
    expect(await sessions.find(cookie(set_cookie))).toBeNull()
  })

  test('a session is updated at most once an hour', async () => {
    const { sessions } = setUp()
    const { set_cookie, id } = await sessions.create(user.id)
    const lastUsed = async () => {
      await sessions.find(cookie(set_cookie))
      return (await readRow(id))?.last_used_at
    }
    for (const [passed, time] of [
      [3_599_999, '12:00'],
      [1, '13:00'],
      [60_000, '13:00'],
    ] as const) {
      now += passed
      expect(await lastUsed()).toBe(`2026-01-31T${time}:00.000Z`)
    }
  })

  test('a session replaces the one that the browser had', async () => {
    const { sessions } = setUp()
    const first = await sessions.create(user.id)
    const second = await sessions.create(user.id, cookie(first.set_cookie))
    expect(first.ended_ids).toEqual([])
    expect(second.ended_ids).toEqual([first.id])
    expect(await sessions.find(cookie(first.set_cookie))).toBeNull()
    expect(await sessions.find(cookie(second.set_cookie))).toMatchObject({ id: second.id })
  })

  test('a session is not found after it ended', async () => {
    const { sessions } = setUp()
    const { set_cookie, id } = await sessions.create(user.id)
    await sessions.end(id)
    expect(await sessions.find(cookie(set_cookie))).toBeNull()
  })

  test('a session is not created if the password changed since the check', async () => {
    const { sessions } = setUp()
    const old = await sessions.create(user.id)
    await patchUser(database.sql, user.id, { password_hash: 'y' }, 'x')
    const made = sessions.create(user.id, cookie(old.set_cookie), undefined, 'x')
    await expect(made).rejects.toMatchObject({ status: 401, message: 'Invalid email or password' })
    expect(await sessions.find(cookie(old.set_cookie))).not.toBeNull()
    await sessions.create(user.id, undefined, undefined, 'y')
  })

  test('a session waits for a concurrent password change and is not created', async () => {
    const { sessions } = setUp()
    const made = await database.sql.begin(async tx => {
      await patchUser(tx, user.id, { password_hash: 'y' }, 'x')
      const made = sessions.create(user.id, undefined, undefined, 'x').catch(error => error.status)
      await expect.poll(() => countLockWaits(database.sql)).toBe(1)
      return { made }
    })
    expect(await made.made).toBe(401)
  })

  test('a session can get a new token, which invalidates the old one', async () => {
    const { sessions } = setUp()
    const { id, set_cookie } = await sessions.create(user.id)
    const renewed = await database.sql.begin(tx => sessions.renew(tx, id))
    expect(await sessions.find(cookie(set_cookie))).toBeNull()
    expect(await sessions.find(cookie(renewed ?? ''))).toEqual({ id, user })
    await sessions.end(id)
    expect(await database.sql.begin(tx => sessions.renew(tx, id))).toBeNull()
  })

  test('a session can end all other sessions of its user and of nobody else', async () => {
    const { sessions } = setUp()
    const users = [user, user, user, await buildUser()]
    const [kept, one, two, foreign] = await Promise.all(users.map(({ id }) => sessions.create(id)))
    if (!kept || !one || !two || !foreign) throw new Error('four are created')
    expect((await sessions.endOthers(user.id, kept.id)).sort()).toEqual([one.id, two.id].sort())
    expect(await sessions.find(cookie(kept.set_cookie))).not.toBeNull()
    expect(await sessions.find(cookie(foreign.set_cookie))).not.toBeNull()
  })

  test('a session is removed after it expired, and not before', async () => {
    const { sessions } = setUp()
    const old = await sessions.create(user.id)
    now += 30 * DAY
    const living = await sessions.create(user.id)
    await sessions.deleteExpired()
    const rows = await database.sql<{ id: string }[]>`select id from sessions where user_id = ${user.id}`
    expect(rows.map(row => row.id)).toEqual([living.id])
    expect(old.id).not.toBe(living.id)
  })
})
