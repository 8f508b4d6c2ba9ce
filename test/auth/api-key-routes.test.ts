// Creating, listing, using and deleting API keys, over HTTP.
import { randomUUID } from 'node:crypto'
import { describe, expect, test, vi } from 'vitest'
import { z } from 'zod'
import { API_KEY_SCOPES } from '../../shared/api-key.ts'
import { type Browser, listenForNotices, openBrowser } from '../support/browser.ts'
import { denied, notFound, unauthorized } from '../support/errors.ts'
import { runService } from '../support/running.ts'

const service = await runService({ TRUST_PROXY: '1' })
const notices = await listenForNotices(service)
const ann = await signedUp('ann@example.com')
const bob = await signedUp('bob@example.com')

async function signedUp(email: string): Promise<Browser> {
  const browser = openBrowser(service)
  await browser.send('POST', '/api/auth/sign-up/email', { email, password: 'correct horse', name: email })
  return browser
}

const createKey = (browser: Browser, body: object) => browser.send('POST', '/api/api-keys', body)

async function makeKey(body: object = {}) {
  const answer = await createKey(ann, { name: 'Script', ...body })
  return z.object({ id: z.string(), key: z.string() }).parse(answer.body)
}

async function buildWorkspace(email: string): Promise<string> {
  const id = randomUUID()
  await service.sql`
    insert into workspaces (id, user_id, name, slug, icon)
    select ${id}, id, 'W', ${id}, '🏢' from users where email = ${email}`
  return id
}

function call(key: string, method = 'GET', path = '/workspaces', body?: object) {
  return openBrowser(service).send(method, `/api/v1${path}`, body, { Authorization: `Bearer ${key}` })
}

const iso = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)

describe('creating a key', () => {
  test('returns the key once; the list shows only its prefix', async () => {
    const carol = await signedUp('carol@example.com')
    const made = await createKey(carol, { name: ' Script ' })
    expect(made.status).toBe(201)
    expect(made.body).toEqual({
      id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      name: 'Script',
      scope: 'full',
      workspace_id: null,
      prefix: expect.stringMatching(/^cf_[\w-]{7}$/),
      expires_at: null,
      created_at: iso,
      key: expect.stringMatching(/^cf_[\w-]{43}$/),
    })
    const { key, ...listed } = z.looseObject({ key: z.string() }).parse(made.body)
    expect(key.startsWith(z.string().parse(listed.prefix))).toBe(true)
    const list = await carol.send('GET', '/api/api-keys')
    expect(list).toMatchObject({ status: 200, body: [{ ...listed, last_used_at: null }] })
    expect(JSON.stringify(list.body)).not.toContain(key)
  })

  test('stores only its hash', async () => {
    const { id, key } = await makeKey()
    const [row] = await service.sql`select * from api_keys where id = ${id}`
    expect(row?.key_hash).toHaveLength(32)
    expect(JSON.stringify(row)).not.toContain(key)
  })

  test('accepts a scope, a workspace and an expiry', async () => {
    const workspace_id = await buildWorkspace('ann@example.com')
    const body = { name: 'Narrow', scope: 'read', workspace_id, expires_at: '2999-01-31T13:00:00+01:00' }
    expect(await createKey(ann, body)).toMatchObject({
      status: 201,
      body: { name: 'Narrow', scope: 'read', workspace_id, expires_at: '2999-01-31T12:00:00.000Z' },
    })
    const cleared = { name: 'Wide', workspace_id: null, expires_at: null }
    expect(await createKey(ann, cleared)).toMatchObject({ status: 201, body: cleared })
  })

  test.each([
    [{}, 'name is required'],
    [{ name: '  ' }, 'name is required'],
    [{ name: 'x'.repeat(81) }, 'name must be at most 80 characters'],
    [{ name: 'K', scope: 'admin' }, 'scope must be one of full, write, read'],
    [{ name: 'K', scope: null }, 'scope must be one of full, write, read'],
    [{ name: 'K', workspace_id: 1 }, 'workspace_id must be a string'],
    [{ name: 'K', expires_at: 'tomorrow' }, 'expires_at must be an ISO 8601 timestamp'],
    [{ name: 'K', expires_at: '2999-02-30T00:00:00Z' }, 'expires_at must be an ISO 8601 timestamp'],
    [{ name: 'K', expires_at: '9999-12-31T23:59:59-14:00' }, 'expires_at must be an ISO 8601 timestamp'],
    [{ name: 'K', expires_at: '2020-01-01T00:00:00Z' }, 'expires_at must be in the future'],
  ])('with %j returns 400: %s', async (body, error) => {
    expect(await createKey(ann, body)).toMatchObject({ status: 400, body: { error } })
  })

  test('unknown workspace returns 404, another user’s workspace 403', async () => {
    const make = (workspace_id: string) => createKey(ann, { name: 'K', workspace_id })
    for (const id of [randomUUID(), 'no-id']) expect(await make(id)).toMatchObject(notFound('Workspace'))
    expect(await make(await buildWorkspace('bob@example.com'))).toMatchObject(denied)
  })
})

describe('using a key', () => {
  test('appears in the list at once', async () => {
    const { id, key } = await makeKey()
    expect(await call(key)).toMatchObject({ status: 200 })
    const list = await ann.send('GET', '/api/api-keys')
    expect(list.body).toContainEqual(expect.objectContaining({ id, last_used_at: iso }))
  })

  test.each([
    ['missing', {}],
    ['not ours', { Authorization: 'Bearer cf_abc' }],
    ['of another scheme', { Authorization: 'Basic YTpi' }],
  ])('that is %s is 401, with a session too', async (_, headers: Record<string, string>) => {
    expect(await ann.send('GET', '/api/v1/workspaces', undefined, headers)).toMatchObject(unauthorized)
  })

  test.each(API_KEY_SCOPES)('scope %s permits what it says', async scope => {
    const channel = { name: 'Channel', workspace_id: await buildWorkspace('ann@example.com') }
    const full = await makeKey()
    const { body } = await call(full.key, 'POST', '/channels', channel)
    const created = z.object({ id: z.string() }).parse(body)
    const { key } = await makeKey({ scope })
    const card = { blocks: [{ type: 'divider' }] }
    const statuses = [
      (await call(key)).status,
      (await call(key, 'POST', `/channels/${created.id}/cards`, card)).status,
      (await call(key, 'POST', '/channels', channel)).status,
    ]
    expect(statuses).toEqual({ read: [200, 403, 403], write: [200, 201, 403], full: [200, 201, 201] }[scope])
  })
})

describe('deleting a key', () => {
  test('returns 204, and the key returns 401 from then on', async () => {
    const { id, key } = await makeKey()
    expect(await call(key)).toMatchObject({ status: 200 })
    const deleted = await ann.send('DELETE', `/api/api-keys/${id.toUpperCase()}`)
    expect(deleted).toMatchObject({ status: 204, body: null })
    expect(await call(key)).toMatchObject(unauthorized)
    await vi.waitFor(() => expect(notices).toContainEqual({ kind: 'key_ended', key_id: id }))
  })

  test('unknown key returns 404, another user’s key 403', async () => {
    const { id, key } = await makeKey()
    expect(await bob.send('DELETE', `/api/api-keys/${id}`)).toMatchObject(denied)
    for (const unknown of [randomUUID(), 'no-id'])
      expect(await bob.send('DELETE', `/api/api-keys/${unknown}`)).toMatchObject(notFound('API key'))
    expect(await call(key)).toMatchObject({ status: 200 })
  })
})
