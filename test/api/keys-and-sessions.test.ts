// Rights of API keys and sessions, from their creation to their end.
import { describe, expect, test } from 'vitest'
import { createAccount, createTestKey, createTestWorkspace, withKey } from '../support/account.ts'
import { createTestCards, pushCard, textCard } from '../support/cards.ts'
import { denied, notFound, unauthorized } from '../support/errors.ts'
import { runWithOwner } from '../support/running.ts'
import { caller } from '../support/service.ts'

let clock = Date.now()

const { service, ann } = await runWithOwner({}, { now: () => clock })
const cards = await createTestCards(ann)

const makeKey = async (fields: object = {}) => {
  const { id, key } = await createTestKey(ann.session, fields)
  return { id, call: withKey(service.url, key), key }
}

describe('a scope', () => {
  test('read only reads', async () => {
    const { call } = await makeKey({ scope: 'read' })
    const path = await pushCard(ann.key, cards)
    for (const url of [
      path,
      cards,
      cards.replace('/cards', ''),
      `/channels?workspace_id=${ann.workspace_id}`,
    ])
      expect((await call('GET', url)).status).toBe(200)
    expect(await call('POST', cards, textCard())).toMatchObject(denied)
    expect(await call('PATCH', path, {})).toMatchObject(denied)
    expect(await call('PUT', `${cards}/by-key/k`, textCard())).toMatchObject(denied)
    expect(await call('DELETE', path)).toMatchObject(denied)
    expect((await ann.key('GET', path)).status).toBe(200)
  })

  test("write writes cards, but can't create or delete channels", async () => {
    const { call } = await makeKey({ scope: 'write' })
    const path = await pushCard(call, cards)
    expect((await call('PATCH', path, { status: 'error' })).status).toBe(200)
    expect((await call('PUT', `${cards}/by-key/w`, textCard())).status).toBe(201)
    expect((await call('DELETE', path)).status).toBe(204)
    expect(await call('POST', '/channels', { name: 'C', workspace_id: ann.workspace_id })).toMatchObject(
      denied,
    )
    expect(await call('DELETE', cards.replace('/cards', ''))).toMatchObject(denied)
  })
})

describe('a key that is confined to a workspace', () => {
  test('may use only that workspace and its channels', async () => {
    const workspace_id = await createTestWorkspace(ann.session)
    const { call } = await makeKey({ workspace_id })
    const inside = await createTestCards({ key: call, workspace_id })
    expect((await call('POST', inside, textCard())).status).toBe(201)
    expect(await call('POST', cards, textCard())).toMatchObject(denied)
    expect(await call('GET', `/channels?workspace_id=${ann.workspace_id}`)).toMatchObject(denied)
    expect((await call('GET', `/channels?workspace_id=${workspace_id}`)).status).toBe(200)
    await ann.session('DELETE', `/workspaces/${workspace_id}`)
  })

  test('ends at once with the workspace', async () => {
    const workspace_id = await createTestWorkspace(ann.session)
    const { call } = await makeKey({ workspace_id })
    expect((await call('GET', `/channels?workspace_id=${workspace_id}`)).status).toBe(200)
    await ann.session('DELETE', `/workspaces/${workspace_id}`)
    expect(await call('GET', `/channels?workspace_id=${workspace_id}`)).toMatchObject(unauthorized)
  })
})

describe('a key ends', () => {
  test('when it is deleted: the next request returns 401', async () => {
    const { id, call } = await makeKey()
    expect((await call('GET', cards)).status).toBe(200)
    expect((await ann.session('DELETE', `/api-keys/${id}`)).status).toBe(204)
    expect(await call('GET', cards)).toMatchObject(unauthorized)
    expect(await call('POST', cards, textCard())).toMatchObject(unauthorized)
  })

  test('when it expires', async () => {
    const expires = clock + 60_000
    const { call } = await makeKey({ expires_at: new Date(expires).toISOString() })
    clock = expires - 1
    expect((await call('GET', cards)).status).toBe(200)
    clock = expires
    expect(await call('GET', cards)).toMatchObject(unauthorized)
  })
})

test.each([
  ['lower case', (key: string) => `bearer ${key}`, 200],
  ['two blanks', (key: string) => `Bearer  ${key}`, 200],
  ['no scheme', (key: string) => key, 401],
  ['another scheme', (key: string) => `Token ${key}`, 401],
  ['something behind', (key: string) => `Bearer ${key} x`, 401],
  ['one character less', (key: string) => `Bearer ${key.slice(0, -1)}`, 401],
  [
    'another last character',
    (key: string) => `Bearer ${key.slice(0, -1)}${key.endsWith('A') ? 'B' : 'A'}`,
    401,
  ],
])('an Authorization header with %s returns %3$s', async (_, header, status) => {
  const call = caller(`${service.url}/api/v1`, { Authorization: header(ann.api_key) })
  expect((await call('GET', cards)).status).toBe(status)
})

test('a key in the query string is ignored', async () => {
  const call = caller(`${service.url}/api/v1`)
  expect(await call('GET', `${cards}?token=${ann.api_key}`)).toMatchObject(unauthorized)
})

describe('a session', () => {
  test.each([
    'GET /workspaces',
    'POST /workspaces',
    'GET /api-keys',
    'POST /api-keys',
    'GET /auth/get-session',
  ])("is needed for %s; a key doesn't count", async route => {
    const [method = '', path = ''] = route.split(' ')
    const body = method === 'POST' ? {} : undefined
    const withoutAny = caller(`${service.url}/api`)
    const withKeyOnly = caller(`${service.url}/api`, { Authorization: `Bearer ${ann.api_key}` })
    const forged = caller(`${service.url}/api`, { Cookie: `${ann.cookie.slice(0, -2)}xx` })
    for (const call of [withoutAny, withKeyOnly, forged])
      expect(await call(method, path, body)).toMatchObject(unauthorized)
  })

  test('that signed out returns 401', async () => {
    const bob = await createAccount(service)
    expect((await bob.session('GET', '/workspaces')).status).toBe(200)
    expect((await bob.session('POST', '/auth/sign-out', {})).status).toBe(200)
    expect(await bob.session('GET', '/workspaces')).toMatchObject(unauthorized)
    expect((await bob.key('GET', `/channels?workspace_id=${bob.workspace_id}`)).status).toBe(200)
  })
})

describe('workspaces of others', () => {
  test.each(['GET', 'DELETE'])('%s returns 403, and 404 for an unknown one', async method => {
    const bob = await createAccount(service)
    expect(await ann.session(method, `/workspaces/${bob.workspace_id}`)).toMatchObject(denied)
    for (const id of ['x', '1', crypto.randomUUID()])
      expect(await ann.session(method, `/workspaces/${id}`)).toMatchObject(notFound('Workspace'))
  })
})
