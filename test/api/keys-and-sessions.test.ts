// Rights of API keys and sessions, from their creation to their end.
import { describe, expect, test } from 'vitest'
import { createAccount, createTestKey, createTestWorkspace, withKey } from '../support/account.ts'
import { createTestCards, textCard } from '../support/cards.ts'
import { denied, unauthorized } from '../support/errors.ts'
import { runWithOwner } from '../support/running.ts'
import { caller } from '../support/service.ts'

let clock = Date.now()

const { service, ann } = await runWithOwner({}, { now: () => clock })
const cards = await createTestCards(ann)

const keyWith = async (fields: object) => withKey(service.url, (await createTestKey(ann.session, fields)).key)

describe('a key that is confined to a workspace', () => {
  test('may use only that workspace and its channels', async () => {
    const workspace_id = await createTestWorkspace(ann.session)
    const call = await keyWith({ workspace_id })
    const inside = await createTestCards({ key: call, workspace_id })
    expect((await call('POST', inside, textCard())).status).toBe(201)
    expect(await call('POST', cards, textCard())).toMatchObject(denied)
    expect(await call('GET', `/channels?workspace_id=${ann.workspace_id}`)).toMatchObject(denied)
    expect((await call('GET', `/channels?workspace_id=${workspace_id}`)).status).toBe(200)
    await ann.session('DELETE', `/workspaces/${workspace_id}`)
  })

  test('ends at once with the workspace', async () => {
    const workspace_id = await createTestWorkspace(ann.session)
    const call = await keyWith({ workspace_id })
    expect((await call('GET', `/channels?workspace_id=${workspace_id}`)).status).toBe(200)
    await ann.session('DELETE', `/workspaces/${workspace_id}`)
    expect(await call('GET', `/channels?workspace_id=${workspace_id}`)).toMatchObject(unauthorized)
  })
})

test('a key ends when it expires', async () => {
  const expires = clock + 60_000
  const call = await keyWith({ expires_at: new Date(expires).toISOString() })
  clock = expires - 1
  expect((await call('GET', cards)).status).toBe(200)
  clock = expires
  expect(await call('GET', cards)).toMatchObject(unauthorized)
})

test('a key in the query string is ignored', async () => {
  const call = caller(`${service.url}/api/v1`)
  expect(await call('GET', `${cards}?token=${ann.api_key}`)).toMatchObject(unauthorized)
})

test('a session that signed out returns 401; its keys stay', async () => {
  const bob = await createAccount(service)
  expect((await bob.session('GET', '/workspaces')).status).toBe(200)
  expect((await bob.session('POST', '/auth/sign-out', {})).status).toBe(200)
  expect(await bob.session('GET', '/workspaces')).toMatchObject(unauthorized)
  expect((await bob.key('GET', `/channels?workspace_id=${bob.workspace_id}`)).status).toBe(200)
})
