// What a key and a session are good for, from the moment they are made until they end.
import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  type Account,
  createAccount,
  createTestKey,
  createTestWorkspace,
  withKey,
} from '../support/account.ts'
import { createTestCards, pushCard, textCard } from '../support/cards.ts'
import { caller, startTestService, type TestService } from '../support/service.ts'

let service: TestService
let ann: Account
let cards: string
let clock = Date.now()

beforeAll(async () => {
  service = await startTestService({}, { now: () => clock })
  ann = await createAccount(service)
  cards = await createTestCards(ann)
})
afterAll(() => service.stop())

const unauthorized = { status: 401, body: { error: 'Unauthorized' } }
const denied = { status: 403, body: { error: 'Access denied' } }
const makeKey = async (fields: object = {}) => {
  const { id, key } = await createTestKey(ann.session, fields)
  return { id, call: withKey(service.url, key), key }
}

describe('a scope', () => {
  test('read reads, and no more', async () => {
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

  test('write writes cards, and neither makes nor deletes channels', async () => {
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
  test('reaches that one and its channels only', async () => {
    const workspace_id = await createTestWorkspace(ann.session)
    const { call } = await makeKey({ workspace_id })
    const inside = await createTestCards({ key: call, workspace_id })
    expect((await call('POST', inside, textCard())).status).toBe(201)
    expect(await call('POST', cards, textCard())).toMatchObject(denied)
    expect(await call('GET', `/channels?workspace_id=${ann.workspace_id}`)).toMatchObject(denied)
    expect((await call('GET', `/channels?workspace_id=${workspace_id}`)).status).toBe(200)
    await ann.session('DELETE', `/workspaces/${workspace_id}`)
  })

  test('ends with the workspace, at once', async () => {
    const workspace_id = await createTestWorkspace(ann.session)
    const { call } = await makeKey({ workspace_id })
    expect((await call('GET', `/channels?workspace_id=${workspace_id}`)).status).toBe(200)
    await ann.session('DELETE', `/workspaces/${workspace_id}`)
    expect(await call('GET', `/channels?workspace_id=${workspace_id}`)).toMatchObject(unauthorized)
  })
})

describe('a key ends', () => {
  test('when it is deleted: the next request is 401', async () => {
    const { id, call } = await makeKey()
    expect((await call('GET', cards)).status).toBe(200)
    expect((await ann.session('DELETE', `/api-keys/${id}`)).status).toBe(204)
    expect(await call('GET', cards)).toMatchObject(unauthorized)
    expect(await call('POST', cards, textCard())).toMatchObject(unauthorized)
  })

  test('at the moment it expires', async () => {
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
])('an Authorization header with %s is %3$s', async (_, header, status) => {
  const call = caller(`${service.url}/api/v1`, { Authorization: header(ann.api_key) })
  expect((await call('GET', cards)).status).toBe(status)
})

test('a key in the query string is none', async () => {
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
  ])('is needed for %s; a key is none', async route => {
    const [method = '', path = ''] = route.split(' ')
    const body = method === 'POST' ? {} : undefined
    const withoutAny = caller(`${service.url}/api`)
    const withKeyOnly = caller(`${service.url}/api`, { Authorization: `Bearer ${ann.api_key}` })
    const forged = caller(`${service.url}/api`, { Cookie: `${ann.cookie.slice(0, -2)}xx` })
    for (const call of [withoutAny, withKeyOnly, forged])
      expect(await call(method, path, body)).toMatchObject(unauthorized)
  })

  test('that signed out is 401', async () => {
    const bob = await createAccount(service)
    expect((await bob.session('GET', '/workspaces')).status).toBe(200)
    expect((await bob.session('POST', '/auth/sign-out', {})).status).toBe(200)
    expect(await bob.session('GET', '/workspaces')).toMatchObject(unauthorized)
    expect((await bob.key('GET', `/channels?workspace_id=${bob.workspace_id}`)).status).toBe(200)
  })
})

describe('workspaces of others', () => {
  test.each(['GET', 'DELETE'])('%s is 403; of none 404', async method => {
    const bob = await createAccount(service)
    expect(await ann.session(method, `/workspaces/${bob.workspace_id}`)).toMatchObject(denied)
    for (const id of ['x', '1', randomUUID()])
      expect(await ann.session(method, `/workspaces/${id}`)).toMatchObject({
        status: 404,
        body: { error: 'Workspace not found' },
      })
  })
})
