// One owner's many changes don't take the connections that other owners' changes need.
import { expect, test } from 'vitest'
import { createAccount } from '../support/account.ts'
import { countLockWaits, holdLocks, PATIENT_LOCK_MS } from '../support/locks.ts'
import { runWithOwner } from '../support/running.ts'
import { times } from '../support/times.ts'
import { until } from '../support/viewer.ts'

const { service, ann } = await runWithOwner({ WORKSPACE_LIMIT: '0' }, { lock_ms: PATIENT_LOCK_MS })
const bob = await createAccount(service)

test('an owner whose fifty changes wait for a lock delays nobody else', async () => {
  const release = await holdLocks(
    service.database,
    sql => sql`select from users where email = ${ann.email} for update`,
  )
  const created = times(50, i => ann.session('POST', '/workspaces', { name: `Ann ${i}` }))
  const waiting = () => countLockWaits(service.database.sql)
  await until(async () => (await waiting()) >= 3, 'Ann waits')
  const renamed = await bob.session('PATCH', `/workspaces/${bob.workspace_id}`, { name: 'Bob' })
  expect(renamed).toMatchObject({ status: 200, body: { name: 'Bob' } })
  expect(await waiting()).toBe(3)
  await release()
  for (const { status } of await created) expect(status).toBe(201)
})

test('the database ends a statement before its request gets 503', async () => {
  const [limit] = await service.sql`select current_setting('statement_timeout') as text`
  expect(limit).toEqual({ text: '10s' })
})
