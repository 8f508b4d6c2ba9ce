// Access is checked at the upgrade, and sockets close within 2 s of losing it, even on the other instance.
import { expect, test } from 'vitest'
import { createAccount, createTestKey, createTestWorkspace, PASSWORD, unlock } from '../support/account.ts'
import { createChannel, patchWorkspace } from '../support/channels.ts'
import { runInstances } from '../support/running.ts'
import { times } from '../support/times.ts'
import { openSocket, upgradeStatus } from '../support/viewer.ts'

const { here, there } = await runInstances()
const ann = await createAccount(here)
const channel_id = await createChannel(ann)

async function ownChannel() {
  const account = await createAccount(here)
  return { account, id: await createChannel(account) }
}

const path = (id = channel_id, token = ann.api_key) => `/sync/${id}?token=${token}`

test('an upgrade succeeds by key and by cookie, and otherwise returns 401, 403 or 404', async () => {
  const bob = await createAccount(here)
  const status = (...args: [string, Record<string, string>?]) => upgradeStatus(here.url, ...args)
  expect(await status(path())).toBe(101)
  expect(await status(`/sync/${channel_id}`, { Cookie: ann.cookie })).toBe(101)
  expect(await status(`/sync/${channel_id}`)).toBe(401)
  expect(await status(path(channel_id, `cf_${'x'.repeat(43)}`))).toBe(401)
  expect(await status(path(channel_id, ''))).toBe(401)
  expect(await status(path(channel_id, bob.api_key))).toBe(403)
  expect(await status(`/sync/${channel_id}`, { Cookie: bob.cookie })).toBe(403)
  expect(await status(path('00000000-0000-4000-8000-000000000000'))).toBe(404)
  expect(await status(path('no-uuid'))).toBe(404)
  expect(await status('/sync/')).toBe(404)
  expect(await status('/elsewhere')).toBe(404)
  expect(await status(`/sync/${channel_id.toUpperCase()}?token=${ann.api_key}`)).toBe(101)
})

test('cookies count only from the service’s own origin', async () => {
  const from = (Origin: string) =>
    upgradeStatus(here.url, `/sync/${channel_id}`, { Cookie: ann.cookie, Origin })
  expect(await from('https://evil.example')).toBe(401)
  expect(await from('null')).toBe(401)
  expect(await from(here.url)).toBe(101)
  // A key may come from any page.
  expect(await upgradeStatus(here.url, path(), { Origin: 'https://evil.example' })).toBe(101)
})

const instances = [
  ['the same instance', here],
  ['the other instance', there],
] as const

test.each(instances)(
  'key deletion and sign-out close with 4401, deletion with 4404, on %s',
  async (_, at) => {
    const { account, id } = await ownChannel()
    const key = await createTestKey(account.session)
    const byKey = await openSocket(at.url, path(id, key.key))
    const byCookie = await openSocket(at.url, `/sync/${id}`, { Cookie: account.cookie })
    const byOther = await openSocket(at.url, path(id, account.api_key))

    let began = performance.now()
    await account.session('DELETE', `/api-keys/${key.id}`)
    expect(await byKey.closed).toBe(4401)
    await account.session('POST', '/auth/sign-out')
    expect(await byCookie.closed).toBe(4401)
    expect(performance.now() - began).toBeLessThan(2_000)
    began = performance.now()
    await account.key('DELETE', `/channels/${id}`)
    expect(await byOther.closed).toBe(4404)
    expect(performance.now() - began).toBeLessThan(2_000)
    expect(await upgradeStatus(at.url, path(id, account.api_key))).toBe(404)
  },
)

test.each(instances)(
  'a key that goes with its workspace closes what it opened elsewhere, on %s',
  async (_, at) => {
    const { account: bob, id } = await ownChannel()
    await patchWorkspace(bob, { visibility: 'public' })
    const account = await createAccount(here)
    const workspace_id = await createTestWorkspace(account.session)
    const key = await createTestKey(account.session, { workspace_id })
    const socket = await openSocket(at.url, path(id, key.key))
    expect(await account.session('DELETE', `/workspaces/${workspace_id}`)).toMatchObject({ status: 200 })
    expect(await socket.closed).toBe(4401)
  },
)

test('making a workspace private closes strangers with 4403, but not its owner', async () => {
  const { account, id } = await ownChannel()
  await patchWorkspace(account, { visibility: 'public' })
  const stranger = await openSocket(there.url, `/sync/${id}`)
  const owner = await openSocket(there.url, `/sync/${id}`, { Cookie: account.cookie })
  await patchWorkspace(account, { visibility: 'private' })
  expect(await stranger.closed).toBe(4403)
  expect(owner.socket.readyState).toBe(owner.socket.OPEN)
})

test('a new password closes unlocked viewers with 4401', async () => {
  const { account, id } = await ownChannel()
  await patchWorkspace(account, { visibility: 'protected', password: PASSWORD })
  expect(await upgradeStatus(there.url, `/sync/${id}`)).toBe(401)
  const Cookie = await unlock(here.url, account.workspace_id)
  const guest = await openSocket(there.url, `/sync/${id}`, { Cookie })
  await patchWorkspace(account, { password: 'another one' })
  expect(await guest.closed).toBe(4401)
})

test('a socket does not keep access that ended during its upgrade', async () => {
  const { account, id } = await ownChannel()
  const opened = await times(20, async () => {
    const key = await createTestKey(account.session)
    const opening = openSocket(there.url, path(id, key.key)).catch(() => null)
    await account.session('DELETE', `/api-keys/${key.id}`)
    return opening
  })
  for (const socket of opened) if (socket) expect(await socket.closed).toBe(4401)
})
