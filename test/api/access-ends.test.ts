// When access ends, open sockets close within two seconds on every instance, with a code that names the reason.
import { beforeEach, describe, expect, test } from 'vitest'
import {
  type Account,
  createAccount,
  createTestKey,
  createTestWorkspace,
  withKey,
} from '../support/account.ts'
import { createChannel, patchWorkspace } from '../support/channels.ts'
import { enter, type Pass, watchChannel } from '../support/pass.ts'
import { runInstance, runService } from '../support/running.ts'
import { caller } from '../support/service.ts'

const PASSWORD = 'open sesame'
const WITHIN_MS = 2_000

let ann: Account
let bob: Account
let channel_id: string

const service = await runService({ WORKSPACE_LIMIT: '0' })
const other = await runInstance(service)
beforeEach(async () => {
  ann = await createAccount(service)
  bob = await createAccount(service)
  channel_id = await createChannel(ann)
})

async function unlock(): Promise<string> {
  const { headers } = await caller(`${service.url}/api`)('POST', '/channel-unlock', {
    channel_id,
    password: PASSWORD,
  })
  return headers.get('Set-Cookie')?.split(';')[0] ?? ''
}

/** The close codes. Throws if closing takes too long. */
async function codesAfter(
  sockets: { closed: Promise<number> }[],
  change: Promise<unknown>,
): Promise<number[]> {
  const began = performance.now()
  await change
  const codes = await Promise.all(sockets.map(({ closed }) => closed))
  const took = performance.now() - began
  if (took > WITHIN_MS) throw new Error(`closed after ${Math.round(took)} ms`)
  return codes
}

function expectStays(socket: Awaited<ReturnType<typeof enter>>): void {
  expect(socket.isOpen()).toBe(true)
  socket.leave()
}

describe.each([
  ['the same instance', () => service.url],
  ['the other instance', () => other.url],
])('on %s', (_, url) => {
  const open = (pass: Pass) => enter(url(), channel_id, pass)

  test('making a public channel private closes everyone except its owner with 4403', async () => {
    await patchWorkspace(ann, { visibility: 'public' })
    const anonymous = await open({})
    const user = await open({ cookie: bob.cookie })
    const key = await open({ token: bob.api_key })
    const owner = await open({ cookie: ann.cookie })
    const ownKey = await open({ token: ann.api_key })
    const change = patchWorkspace(ann, { visibility: 'private' })
    expect(await codesAfter([anonymous, user, key], change)).toEqual([4403, 4403, 4403])
    expectStays(owner)
    expectStays(ownKey)
  })

  test('protecting a public channel closes viewers with 4401', async () => {
    await patchWorkspace(ann, { visibility: 'public' })
    const sockets = await Promise.all([open({}), open({ cookie: bob.cookie })])
    const change = patchWorkspace(ann, { visibility: 'protected', password: PASSWORD })
    expect(await codesAfter(sockets, change)).toEqual([4401, 4401])
  })

  test('changing the password closes viewers who unlocked with the old one with 4401, not the owner', async () => {
    await patchWorkspace(ann, { visibility: 'protected', password: PASSWORD })
    const socket = await open({ cookie: await unlock() })
    const owner = await open({ cookie: ann.cookie })
    expect(await codesAfter([socket], patchWorkspace(ann, { password: 'another one' }))).toEqual([4401])
    expectStays(owner)
  })

  test('making a protected channel private closes viewers who unlocked it with 4403', async () => {
    await patchWorkspace(ann, { visibility: 'protected', password: PASSWORD })
    const socket = await open({ cookie: await unlock() })
    expect(await codesAfter([socket], patchWorkspace(ann, { visibility: 'private' }))).toEqual([4403])
  })

  test('making a protected channel public keeps its viewers', async () => {
    await patchWorkspace(ann, { visibility: 'protected', password: PASSWORD })
    const socket = await open({ cookie: await unlock() })
    const doomed = await open({ token: (await createTestKey(ann.session)).key })
    await patchWorkspace(ann, { visibility: 'public' })
    // Notices arrive in order, so the first change has arrived when the later one has.
    const later = patchWorkspace(ann, { visibility: 'public' }).then(deleteKeys)
    expect(await codesAfter([doomed], later)).toEqual([4401])
    expectStays(socket)
  })

  async function deleteKeys(): Promise<void> {
    const { body } = await ann.session<{ id: string }[]>('GET', '/api-keys')
    await Promise.all(body.map(({ id }) => ann.session('DELETE', `/api-keys/${id}`)))
  }

  test("signing out closes the owner's socket on a private channel with 4401", async () => {
    const socket = await open({ cookie: ann.cookie })
    expect(await codesAfter([socket], ann.session('POST', '/auth/sign-out', {}))).toEqual([4401])
  })

  /** The cookie of another browser of Ann's. */
  async function signInAgain(): Promise<string> {
    const { body } = await ann.session<{ user: { email: string } }>('GET', '/auth/get-session')
    const { headers } = await caller(`${service.url}/api`)('POST', '/auth/sign-in/email', {
      email: body.user.email,
      password: 'correct horse',
    })
    return headers.get('Set-Cookie')?.split(';')[0] ?? ''
  }

  test('ending a session from another one closes its socket with 4401; the other stays', async () => {
    const socket = await open({ cookie: await signInAgain() })
    const own = await open({ cookie: ann.cookie })
    const end = async () => {
      const { body } = await ann.session<{ id: string; current: boolean }[]>('GET', '/auth/sessions')
      const id = body.find(({ current }) => !current)?.id
      expect((await ann.session('DELETE', `/auth/sessions/${id}`)).status).toBe(204)
    }
    expect(await codesAfter([socket], end())).toEqual([4401])
    expectStays(own)
  })

  test('ending all other sessions closes their sockets with 4401; this one stays', async () => {
    const sockets = [await open({ cookie: await signInAgain() }), await open({ cookie: await signInAgain() })]
    const own = await open({ cookie: ann.cookie })
    const end = ann.session('POST', '/auth/sessions/end-others')
    expect(await codesAfter(sockets, end)).toEqual([4401, 4401])
    expectStays(own)
  })

  test('a new account password closes the other sessions and sockets with the old token with 4401', async () => {
    const sockets = [await open({ cookie: await signInAgain() }), await open({ cookie: ann.cookie })]
    const change = ann.session('PATCH', '/auth/account', {
      current_password: 'correct horse',
      new_password: 'battery staple',
    })
    expect(await codesAfter(sockets, change)).toEqual([4401, 4401])
    const cookie = (await change).headers.get('Set-Cookie')?.split(';')[0] ?? ''
    const back = await open({ cookie })
    expectStays(back)
  })

  test('deleting a key closes its sockets with 4401, even on a public channel', async () => {
    await patchWorkspace(ann, { visibility: 'public' })
    const { id, key } = await createTestKey(ann.session, { scope: 'read' })
    const socket = await open({ token: key })
    expect(await codesAfter([socket], ann.session('DELETE', `/api-keys/${id}`))).toEqual([4401])
  })

  test('an expiring key closes its sockets with 4401', async () => {
    const expires = Date.now() + 2_000
    const { key } = await createTestKey(ann.session, { expires_at: new Date(expires).toISOString() })
    const socket = await open({ token: key })
    expect(await socket.closed).toBe(4401)
    expect(Date.now() - expires).toBeLessThan(WITHIN_MS)
    expect(Date.now()).toBeGreaterThanOrEqual(expires)
  })

  test("deleting a channel closes all its sockets with 4404, the owner's too", async () => {
    await patchWorkspace(ann, { visibility: 'public' })
    const sockets = await Promise.all([open({}), open({ cookie: ann.cookie }), open({ token: ann.api_key })])
    const deletion = ann.key('DELETE', `/channels/${channel_id}`)
    expect(await codesAfter(sockets, deletion)).toEqual([4404, 4404, 4404])
  })

  test('deleting a workspace closes the sockets of all its channels with 4404, even for a key confined to it', async () => {
    const workspace_id = await createTestWorkspace(ann.session)
    const { key } = await createTestKey(ann.session, { workspace_id })
    const ids = [
      await createChannel({ key: ann.key, workspace_id }),
      await createChannel({ key: ann.key, workspace_id }),
    ]
    const sockets = await Promise.all(
      ids.flatMap(id => [enter(url(), id, { cookie: ann.cookie }), enter(url(), id, { token: key })]),
    )
    const deletion = ann.session('DELETE', `/workspaces/${workspace_id}`)
    expect(await codesAfter(sockets, deletion)).toEqual([4404, 4404, 4404, 4404])
  })

  test('a viewer who lost access receives no later changes', async () => {
    await patchWorkspace(ann, { visibility: 'public' })
    const viewer = await watchChannel(url(), channel_id, bob.api_key)
    const watching = await open({ token: bob.api_key })
    expect(await codesAfter([watching], patchWorkspace(ann, { visibility: 'private' }))).toEqual([4403])
    const owner = await watchChannel(url(), channel_id, ann.api_key)
    await withKey(service.url, ann.api_key)('PATCH', `/channels/${channel_id}`, { name: 'Secret' })
    await owner.until(doc => doc.getMap('channel').get('name') === 'Secret')
    expect(viewer.doc.getMap('channel').get('name')).toBe('Channel')
    owner.leave()
    viewer.leave()
  })
})
