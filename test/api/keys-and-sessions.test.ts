// When API keys and sessions stop working: outside of a key's workspace, after its deletion, at `expires_at`, after sign-out.
import { describe, expect, test } from 'vitest'
import { createAccount, createTestKey, createTestWorkspace, withKey } from '../support/account.ts'
import { createTestChannel, textCard } from '../support/cards.ts'
import { denied, unauthorized } from '../support/errors.ts'
import { runWithOwner } from '../support/running.ts'
import { caller } from '../support/service.ts'

let clock = Date.now()

const { service, ann } = await runWithOwner({}, { now: () => clock })
const cards = await createTestChannel(ann)

const callerWith = async (fields: object) =>
  withKey(service.url, (await createTestKey(ann.session, fields)).key)

describe('a key for one workspace', () => {
  test('gets 403 outside of that workspace and its channels', async () => {
    const workspace_id = await createTestWorkspace(ann.session)
    const call = await callerWith({ workspace_id })
    const inside = await createTestChannel({ key: call, workspace_id })
    expect((await call('POST', inside, textCard())).status).toBe(201)
    expect(await call('POST', cards, textCard())).toMatchObject(denied)
    expect(await call('GET', `/channels?workspace_id=${ann.workspace_id}`)).toMatchObject(denied)
    expect((await call('GET', `/channels?workspace_id=${workspace_id}`)).status).toBe(200)
    await ann.session('DELETE', `/workspaces/${workspace_id}`)
  })

  test('gets 401 as soon as the workspace is deleted', async () => {
    const workspace_id = await createTestWorkspace(ann.session)
    const call = await callerWith({ workspace_id })
    expect((await call('GET', `/channels?workspace_id=${workspace_id}`)).status).toBe(200)
    await ann.session('DELETE', `/workspaces/${workspace_id}`)
    expect(await call('GET', `/channels?workspace_id=${workspace_id}`)).toMatchObject(unauthorized)
  })
})

test('a key works until `expires_at`, and not at that instant', async () => {
  const expires_at = clock + 60_000
  const call = await callerWith({ expires_at: new Date(expires_at).toISOString() })
  clock = expires_at - 1
  expect((await call('GET', cards)).status).toBe(200)
  clock = expires_at
  expect(await call('GET', cards)).toMatchObject(unauthorized)
})

test('a REST request with a key in the query string gets 401', async () => {
  const call = caller(`${service.url}/api/v1`)
  expect(await call('GET', `${cards}?token=${ann.api_key}`)).toMatchObject(unauthorized)
})

test('after sign-out, the session’s requests get 401, and the user’s API keys still work', async () => {
  const bob = await createAccount(service)
  expect((await bob.session('GET', '/workspaces')).status).toBe(200)
  expect((await bob.session('POST', '/auth/sign-out', {})).status).toBe(200)
  expect(await bob.session('GET', '/workspaces')).toMatchObject(unauthorized)
  expect((await bob.key('GET', `/channels?workspace_id=${bob.workspace_id}`)).status).toBe(200)
})
