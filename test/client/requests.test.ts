// The requests of a signed-in owner, against a running service.
import { afterAll, beforeEach, expect, test, vi } from 'vitest'
import { ConnectionError, InvalidRequestError, NotFoundError } from '../../client/errors.ts'
import * as checked from '../../web/data/checked-requests.ts'
import * as owner from '../../web/data/owner-requests.ts'
import { runWithOwner } from '../support/running.ts'

const { service, ann } = await runWithOwner()
const { workspace_id } = ann
const realFetch = globalThis.fetch

/** A page at `origin`: paths belong to its site, and requests carry the session. */
function openPage(origin: string): void {
  vi.stubGlobal('fetch', (path: string, init: RequestInit) =>
    realFetch(origin + path, { ...init, headers: { ...init.headers, Cookie: ann.cookie } }),
  )
}

beforeEach(() => openPage(service.url))
afterAll(() => void vi.unstubAllGlobals())

const createChannel = async () => (await checked.createChannel({ name: 'Deploys', workspace_id }, {})).id
const card = { blocks: [{ type: 'text' as const, id: 'note', content: 'Hello' }] }

test('a channel is created once for an idempotency key, listed, renamed and deleted', async () => {
  const once = { idempotency_key: crypto.randomUUID() }
  const body = { name: 'Builds', workspace_id }
  const { id } = await checked.createChannel(body, once)
  expect((await checked.createChannel(body, once)).id).toBe(id)
  expect((await owner.fetchWorkspaces()).map(workspace => workspace.id)).toEqual([workspace_id])
  expect((await owner.fetchChannels(workspace_id)).map(channel => channel.id)).toEqual([id])

  await checked.patchChannel(id, { name: 'Nightly builds' })
  expect((await owner.fetchChannel(id)).name).toBe('Nightly builds')
  await owner.deleteChannel(id)
  await expect(owner.fetchChannel(id)).rejects.toThrow(NotFoundError)
  await owner.deleteChannel(id)
})

test('cards are pushed, replaced by key, patched and listed newest first', async () => {
  const channel_id = await createChannel()
  const first = await checked.createCard(channel_id, card, {})
  const keyed = await checked.putCard(channel_id, 'build 1/2', card)
  const replaced = await checked.putCard(channel_id, 'build 1/2', { ...card, status: 'success' })
  expect(replaced.id).toBe(keyed.id)
  const body = { blocks: [{ id: 'note', patch: { content: 'Bye' } }] }
  await owner.patchCard(await owner.fetchCard(channel_id, first.id), body, {})
  expect((await owner.fetchCard(channel_id, first.id)).blocks).toMatchObject([{ content: 'Bye' }])
  expect((await owner.fetchNewestCards(channel_id, 5)).map(({ id }) => id)).toEqual([keyed.id, first.id])
})

test('a header action is added, and attributes are set', async () => {
  const channel_id = await createChannel()
  const { id } = await checked.createAction(channel_id, { label: 'Retry' })
  expect((await owner.fetchChannel(channel_id)).actions).toMatchObject([{ id, label: 'Retry' }])
  await checked.putAttributes(channel_id, { team: 'payments' })
  expect(await owner.fetchAttributes(channel_id)).toMatchObject({ team: 'payments' })
})

test('a body that the server would reject has the same error without a request', async () => {
  openPage('http://127.0.0.1:1')
  const request = async () => checked.createChannel({ name: ' ', workspace_id }, {})
  await expect(request()).rejects.toThrow(InvalidRequestError)
  await expect(request()).rejects.toMatchObject({ status: 400, message: 'name is required' })
})

test('without a server, a request fails as a lost connection', async () => {
  openPage('http://127.0.0.1:1')
  await expect(owner.fetchWorkspaces()).rejects.toThrow(ConnectionError)
})
