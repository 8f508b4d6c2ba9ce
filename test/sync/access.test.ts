// Access to sockets, beyond what access-matrix.test.ts and access-ends.test.ts check.
import { expect, test } from 'vitest'
import { createAccount, createTestKey, createTestWorkspace } from '../support/account.ts'
import { createChannel, patchWorkspace } from '../support/channels.ts'
import { runInstances } from '../support/running.ts'
import { times } from '../support/times.ts'
import { openSocket, upgradeStatus } from '../support/viewer.ts'

const { here, there } = await runInstances()
const ann = await createAccount(here)
const channel_id = await createChannel(ann)

const path = (id: string, token = ann.api_key) => `/sync/${id}?token=${token}`

test('an upgrade accepts an upper-case id, and returns 404 for other paths', async () => {
  expect(await upgradeStatus(here.url, path(channel_id.toUpperCase()))).toBe(101)
  for (const other of ['/sync/', '/elsewhere']) expect(await upgradeStatus(here.url, other)).toBe(404)
})

test('a page with an opaque origin opens no socket with cookies', async () => {
  const headers = { Cookie: ann.cookie, Origin: 'null' }
  expect(await upgradeStatus(here.url, `/sync/${channel_id}`, headers)).toBe(401)
})

test.each([
  ['the same instance', here.url],
  ['the other instance', there.url],
])('a key that goes with its workspace closes what it opened elsewhere, on %s', async (_, url) => {
  const bob = await createAccount(here)
  await patchWorkspace(bob, { visibility: 'public' })
  const account = await createAccount(here)
  const workspace_id = await createTestWorkspace(account.session)
  const { key } = await createTestKey(account.session, { workspace_id })
  const socket = await openSocket(url, path(await createChannel(bob), key))
  expect(await account.session('DELETE', `/workspaces/${workspace_id}`)).toMatchObject({ status: 200 })
  expect(await socket.closed).toBe(4401)
})

test('a socket does not keep access that ended during its upgrade', async () => {
  const opened = await times(20, async () => {
    const { id, key } = await createTestKey(ann.session)
    const opening = openSocket(there.url, path(channel_id, key)).catch(() => null)
    await ann.session('DELETE', `/api-keys/${id}`)
    return opening
  })
  for (const socket of opened) if (socket) expect(await socket.closed).toBe(4401)
})
