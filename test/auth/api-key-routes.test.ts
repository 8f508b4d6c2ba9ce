// Creating, listing, using and deleting API keys, over HTTP.
import { randomUUID } from 'node:crypto'
import { describe, expect, test, vi } from 'vitest'
import { createAccount, createTestKey, createTestWorkspace, withKey } from '../support/account.ts'
import { UUID_V4 } from '../support/blocks.ts'
import { listenForNotices } from '../support/browser.ts'
import { ISO } from '../support/cards.ts'
import { denied, invalid, notFound, unauthorized, wrong } from '../support/errors.ts'
import { runWithOwner } from '../support/running.ts'
import { callTo } from '../support/service.ts'

const { service, ann } = await runWithOwner()
const bob = await createAccount(service)
const notices = await listenForNotices(service)

const createKey = (fields: object, { session } = ann) => session('POST', '/api-keys', fields)
const listKeys = ({ session } = ann) => session<object[]>('GET', '/api-keys')
const use = (key: string) => withKey(service.url, key)('GET', '/workspaces')

const ISO_RULE = 'must be an ISO 8601 timestamp'

describe('creating a key', () => {
  test('creating a key returns the key once; the list shows only its prefix', async () => {
    const carol = await createAccount(service)
    const { status, body } = await createKey({ name: ' Script ' }, carol)
    expect(status).toBe(201)
    expect(body).toEqual({
      id: expect.stringMatching(UUID_V4),
      name: 'Script',
      scope: 'full',
      workspace_id: null,
      prefix: String(body.key).slice(0, 10),
      expires_at: null,
      created_at: expect.stringMatching(ISO),
      key: expect.stringMatching(/^cf_[\w-]{43}$/),
    })
    const { key, ...listed } = body
    const list = await listKeys(carol)
    expect(list).toMatchObject({ status: 200 })
    expect(list.body).toContainEqual({ ...listed, last_used_at: null })
    expect(JSON.stringify(list.body)).not.toContain(key)
  })

  test('creating a key stores only its hash', async () => {
    const { id, key } = await createTestKey(ann.session)
    const [row] = await service.sql`select * from api_keys where id = ${id}`
    expect(row?.key_hash).toHaveLength(32)
    expect(JSON.stringify(row)).not.toContain(key)
  })

  test('creating a key accepts a scope, a workspace and an expiry', async () => {
    const { workspace_id } = ann
    const body = { name: 'Narrow', scope: 'read', workspace_id, expires_at: '2999-01-31T13:00:00+01:00' }
    expect(await createKey(body)).toMatchObject({
      status: 201,
      body: { name: 'Narrow', scope: 'read', workspace_id, expires_at: '2999-01-31T12:00:00.000Z' },
    })
    const cleared = { name: 'Wide', workspace_id: null, expires_at: null }
    expect(await createKey(cleared)).toMatchObject({ status: 201, body: cleared })
  })

  test.each([
    ...wrong('name', 'is required', undefined, '  '),
    ...wrong('name', 'must be at most 80 characters', 'x'.repeat(81)),
    ...wrong('scope', 'must be one of full, write, read', 'admin', null),
    ...wrong('workspace_id', 'must be a string', 1),
    ...wrong('expires_at', ISO_RULE, 'tomorrow', '2999-02-30T00:00:00Z', '9999-12-31T23:59:59-14:00'),
    ...wrong('expires_at', 'must be in the future', '2020-01-01T00:00:00Z'),
  ])('creating a key with %j returns 400: %s', async (body, error) => {
    expect(await createKey({ name: 'K', ...body })).toMatchObject(invalid(error))
  })

  test('unknown workspace returns 404, another user’s workspace 403', async () => {
    const make = (workspace_id: string) => createKey({ name: 'K', workspace_id })
    for (const id of [randomUUID(), 'no-id']) expect(await make(id)).toMatchObject(notFound('Workspace'))
    expect(await make(bob.workspace_id)).toMatchObject(denied)
  })
})

test('using a key appears in the list at once', async () => {
  const { id, key } = await createTestKey(ann.session)
  expect(await use(key)).toMatchObject({ status: 200 })
  const used = { id, last_used_at: expect.stringMatching(ISO) }
  expect((await listKeys()).body).toContainEqual(expect.objectContaining(used))
})

describe('deleting a key', () => {
  test('deleting a key returns 204, and the key returns 401 from then on', async () => {
    const { id, key } = await createTestKey(ann.session)
    expect(await use(key)).toMatchObject({ status: 200 })
    const deleted = await ann.session('DELETE', `/api-keys/${id.toUpperCase()}`)
    expect(deleted).toMatchObject({ status: 204, body: null })
    expect(await use(key)).toMatchObject(unauthorized)
    await vi.waitFor(() => expect(notices).toContainEqual({ kind: 'key_ended', key_id: id }))
  })

  test('unknown key returns 404, another user’s key 403', async () => {
    const { id, key } = await createTestKey(ann.session)
    expect(await bob.session('DELETE', `/api-keys/${id}`)).toMatchObject(denied)
    for (const unknown of [randomUUID(), 'no-id'])
      expect(await bob.session('DELETE', `/api-keys/${unknown}`)).toMatchObject(notFound('API key'))
    expect(await use(key)).toMatchObject({ status: 200 })
  })
})

test('a key in the query string returns 401', async () => {
  const call = callTo(`${service.url}/api/v1`)
  expect(await call('GET', `/workspaces?token=${ann.api_key}`)).toMatchObject(unauthorized)
})

test('a key for one workspace works there, and returns 401 as soon as the workspace is deleted', async () => {
  const workspace_id = await createTestWorkspace(ann.session)
  const { key } = await createTestKey(ann.session, { workspace_id })
  const list = () => withKey(service.url, key)('GET', `/channels?workspace_id=${workspace_id}`)
  expect(await list()).toMatchObject({ status: 200 })
  await ann.session('DELETE', `/workspaces/${workspace_id}`)
  expect(await list()).toMatchObject(unauthorized)
})

test('a key works after its owner has signed out', async () => {
  const carol = await createAccount(service)
  await carol.session('POST', '/auth/sign-out', {})
  expect(await listKeys(carol)).toMatchObject(unauthorized)
  expect(await use(carol.api_key)).toMatchObject({ status: 200 })
})
