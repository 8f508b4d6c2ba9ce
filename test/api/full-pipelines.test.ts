// More statements wait for the database than its connections take at once.
import { expect, test } from 'vitest'
import { createTestKey, withKey } from '../support/account.ts'
import { createTestChannel } from '../support/cards.ts'
import { countLockWaits, holdLocks } from '../support/locks.ts'
import { runWithOwner } from '../support/running.ts'
import { times } from '../support/times.ts'

const { service, ann } = await runWithOwner({}, { lock_ms: 8_000 })
const KEYS = 40
const CHANNELS = 20
/** As many as ten connections take. */
const STATEMENTS = 1_000
const TURNS = 4

test('P10: a backlog of statements undoes no deletion, and leaves no transaction open', async () => {
  const { sql } = service.database
  const keys = await times(KEYS, () => createTestKey(ann.session))
  const channels = await times(CHANNELS, () => createTestChannel(ann))
  const change = (i: number) =>
    ann.key('PUT', (channels[i] ?? '').replace(/cards$/, 'attributes'), { build: String(i) })
  await times(CHANNELS, change)
  await times(CHANNELS, () => service.sql`select pg_sleep(0.01)`)

  const letGo = await holdLocks(service.database, sql => sql`lock table sessions in access exclusive mode`)
  const requests = []
  const statements = []
  for (let turn = 0; turn < TURNS; turn++) {
    for (let i = 0; i < STATEMENTS; i++) statements.push(service.sql`select from sessions`.execute())
    requests.push(...channels.map((_, i) => change(i)))
    await expect.poll(() => countLockWaits(sql)).toBeGreaterThan(0)
  }
  const deletions = keys.map(({ id }) => ann.session('DELETE', `/api-keys/${id}`))
  requests.push(...deletions)
  await letGo()
  await Promise.all(statements)
  const statuses = (await Promise.all(requests)).map(({ status }) => status)
  expect(statuses.filter(status => ![200, 204, 503].includes(status))).toEqual([])

  const idle = await sql`
    select query from pg_stat_activity where datname = current_database() and state like 'idle in transaction%'`
  expect(idle).toEqual([])
  const deleted = (await Promise.all(deletions)).flatMap(({ status }, i) => (status === 204 ? [i] : []))
  expect(deleted.length).toBeGreaterThan(0)
  const answers = await Promise.all(
    deleted.map(i => withKey(service.url, keys[i]?.key ?? '')('GET', '/workspaces')),
  )
  expect(answers.filter(({ status }) => status !== 401)).toEqual([])
})
