// Caps on what an account keeps for good. They hold if two instances are asked at the same moment.
import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { accountAt, createAccount, signIn } from '../support/account.ts'
import { listenForNotices } from '../support/browser.ts'
import { failed, invalid } from '../support/errors.ts'
import { runInstances } from '../support/running.ts'
import { callTo } from '../support/service.ts'
import { times } from '../support/times.ts'
import { until } from '../support/viewer.ts'

const { here, there } = await runInstances({ ACT_LIMIT: '0' })
const { sql } = here

/** How many of the answers have each status. */
function countByStatus(answers: { status: number }[]) {
  const counts: Record<number, number> = {}
  for (const { status } of answers) counts[status] = (counts[status] ?? 0) + 1
  return counts
}

test('a user has at most 100 API keys; expired ones count until they are deleted', async () => {
  const ann = await createAccount(here)
  const sessions = [ann.session, accountAt(there, ann).session]
  const create = (i: number) => sessions[i % 2]?.('POST', '/api-keys', { name: 'K' }) ?? Promise.reject()
  await sql`
    insert into api_keys (id, user_id, name, key_hash, prefix, expires_at)
    select gen_random_uuid(), ${ann.user_id}, 'Old', sha256(gen_random_uuid()::text::bytea), 'cf_', now() - interval '1 day'
    from generate_series(1, 94)`
  expect(countByStatus(await times(10, create))).toEqual({ 201: 5, 429: 5 })
  expect(await create(0)).toMatchObject(failed(429, 'API key limit reached'))
  const [old] = await sql<
    { id: string }[]
  >`select id from api_keys where user_id = ${ann.user_id} and name = 'Old'`
  await ann.session('DELETE', `/api-keys/${old?.id}`)
  expect(await create(0)).toMatchObject({ status: 201 })
  expect(await (await createAccount(here)).session('POST', '/api-keys', { name: 'K' })).toMatchObject({
    status: 201,
  })
})

test('the session that began first ends when a 101st begins, and so do its sockets elsewhere', async () => {
  const notices = await listenForNotices(here)
  const ann = await createAccount(here)
  await sql`
    insert into sessions (id, token_hash, user_id, created_at, expires_at)
    select gen_random_uuid(), sha256(gen_random_uuid()::text::bytea), ${ann.user_id},
      now() + n * interval '1 ms', now() + interval '1 day'
    from generate_series(1, 99) n`
  await sql`
    insert into sessions (id, token_hash, user_id, created_at, expires_at)
    values (${randomUUID()}, sha256('expired'), ${ann.user_id}, now() - interval '40 days', now() - interval '1 day')`
  const [first] = await sql<{ id: string }[]>`
    select id from sessions where user_id = ${ann.user_id} and expires_at > now() order by created_at limit 1`
  expect(await ann.session('GET', '/auth/get-session')).toMatchObject({ status: 200 })
  const cookies = await times(4, i => signIn([here, there][i % 2]?.url ?? '', ann.email))
  expect(await ann.session('GET', '/auth/get-session')).toMatchObject({ status: 401 })
  for (const Cookie of cookies)
    expect(await callTo(`${here.url}/api`, { Cookie })('GET', '/auth/get-session')).toMatchObject({
      status: 200,
    })
  const [valid] = await sql<{ count: number }[]>`
    select count(*)::integer as count from sessions where user_id = ${ann.user_id} and expires_at > now()`
  expect(valid).toEqual({ count: 100 })
  const ended = { kind: 'session_ended', session_id: first?.id }
  await until(async () => JSON.stringify(notices).includes(JSON.stringify(ended)), 'the notice of its end')
})

test('a workspace has at most 200 attribute settings; a setting that exists can always change', async () => {
  const ann = await createAccount(here)
  const path = `/workspaces/${ann.workspace_id}/attribute-settings`
  const sessions = [ann.session, accountAt(there, ann).session]
  const put = (i: number) => sessions[i % 2]?.('PUT', path, { key: `new-${i}` }) ?? Promise.reject()
  await sql`
    insert into attribute_settings (workspace_id, key)
    select ${ann.workspace_id}, 'old-' || n from generate_series(1, 195) n`
  expect(countByStatus(await times(10, put))).toEqual({ 200: 5, 400: 5 })
  expect(await ann.session('PUT', path, { key: 'more' })).toMatchObject(
    invalid('at most 200 attributes can have settings'),
  )
  const changed = { key: 'old-1', use_as_filter: true }
  expect(await ann.session('PUT', path, changed)).toMatchObject({ status: 200, body: changed })
  await sql`insert into attribute_settings (workspace_id, key) values (${ann.workspace_id}, 'before the limit')`
  expect(await ann.session('PUT', path, { ...changed, use_as_filter: false })).toMatchObject({ status: 200 })
})
