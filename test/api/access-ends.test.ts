// When access ends, open sockets close within two seconds on every instance, with a code that names the reason.
import { beforeEach, describe, expect, test } from 'vitest'
import {
  type Account,
  cookieOf,
  createAccount,
  createTestKey,
  createTestWorkspace,
  unlock,
} from '../support/account.ts'
import { createChannel, patchWorkspace } from '../support/channels.ts'
import { enter, type Pass, watchChannel } from '../support/pass.ts'
import { runInstance, runService } from '../support/running.ts'
import { PASSWORD } from '../support/scene.ts'
import { caller } from '../support/service.ts'
import { times } from '../support/times.ts'

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

const unlocked = () => unlock(service, { channel_id, password: PASSWORD })

/** Resolves when all sockets are closed. Throws if one has another code, or if closing takes too long. */
async function expectCloses(
  sockets: { closed: Promise<number> }[],
  code: number,
  change: Promise<unknown>,
): Promise<void> {
  const began = performance.now()
  await change
  const codes = await Promise.all(sockets.map(({ closed }) => closed))
  const took = performance.now() - began
  expect(codes).toEqual(sockets.map(() => code))
  if (took > WITHIN_MS) throw new Error(`closed after ${Math.round(took)} ms`)
}

function expectStay(...sockets: Awaited<ReturnType<typeof enter>>[]): void {
  for (const socket of sockets) {
    expect(socket.isOpen()).toBe(true)
    socket.leave()
  }
}

describe.each([
  ['the same instance', () => service.url],
  ['the other instance', () => other.url],
])('on %s', (_, url) => {
  const open = (pass: Pass) => enter(url(), channel_id, pass)
  const makePublic = () => patchWorkspace(ann, { visibility: 'public' })
  const makePrivate = () => patchWorkspace(ann, { visibility: 'private' })
  const protect = () => patchWorkspace(ann, { visibility: 'protected', password: PASSWORD })

  test('making a public channel private closes everyone except its owner with 4403', async () => {
    await makePublic()
    const closing = [await open({}), await open({ cookie: bob.cookie }), await open({ token: bob.api_key })]
    const staying = [await open({ cookie: ann.cookie }), await open({ token: ann.api_key })]
    await expectCloses(closing, 4403, makePrivate())
    expectStay(...staying)
  })

  test('protecting a public channel closes viewers with 4401', async () => {
    await makePublic()
    await expectCloses([await open({}), await open({ cookie: bob.cookie })], 4401, protect())
  })

  test('changing the password closes viewers who unlocked with the old one with 4401, not the owner', async () => {
    await protect()
    const socket = await open({ cookie: await unlocked() })
    const owner = await open({ cookie: ann.cookie })
    await expectCloses([socket], 4401, patchWorkspace(ann, { password: 'another one' }))
    expectStay(owner)
  })

  test('making a protected channel private closes viewers who unlocked it with 4403', async () => {
    await protect()
    await expectCloses([await open({ cookie: await unlocked() })], 4403, makePrivate())
  })

  test('making a protected channel public keeps its viewers', async () => {
    await protect()
    const socket = await open({ cookie: await unlocked() })
    const { id, key } = await createTestKey(ann.session)
    const doomed = await open({ token: key })
    await makePublic()
    // Notices arrive in order, so the first change has arrived when the later one has.
    await expectCloses([doomed], 4401, ann.session('DELETE', `/api-keys/${id}`))
    expectStay(socket)
  })

  test("signing out closes the owner's socket on a private channel with 4401", async () => {
    const socket = await open({ cookie: ann.cookie })
    await expectCloses([socket], 4401, ann.session('POST', '/auth/sign-out', {}))
  })

  /** The cookie of another browser of Ann's. */
  async function signInAgain(): Promise<string> {
    const { body } = await ann.session<{ user: { email: string } }>('GET', '/auth/get-session')
    const { headers } = await caller(`${service.url}/api`)('POST', '/auth/sign-in/email', {
      email: body.user.email,
      password: 'correct horse',
    })
    return cookieOf(headers)
  }

  test('ending a session from another one closes its socket with 4401; the other stays', async () => {
    const socket = await open({ cookie: await signInAgain() })
    const own = await open({ cookie: ann.cookie })
    const end = async () => {
      const { body } = await ann.session<{ id: string; current: boolean }[]>('GET', '/auth/sessions')
      const id = body.find(({ current }) => !current)?.id
      expect((await ann.session('DELETE', `/auth/sessions/${id}`)).status).toBe(204)
    }
    await expectCloses([socket], 4401, end())
    expectStay(own)
  })

  test('ending all other sessions closes their sockets with 4401; this one stays', async () => {
    const sockets = [await open({ cookie: await signInAgain() }), await open({ cookie: await signInAgain() })]
    const own = await open({ cookie: ann.cookie })
    await expectCloses(sockets, 4401, ann.session('POST', '/auth/sessions/end-others'))
    expectStay(own)
  })

  test('a new account password closes the other sessions and sockets with the old token with 4401', async () => {
    const sockets = [await open({ cookie: await signInAgain() }), await open({ cookie: ann.cookie })]
    const change = ann.session('PATCH', '/auth/account', {
      current_password: 'correct horse',
      new_password: 'battery staple',
    })
    await expectCloses(sockets, 4401, change)
    expectStay(await open({ cookie: cookieOf((await change).headers) }))
  })

  test('deleting a key closes its sockets with 4401, even on a public channel', async () => {
    await makePublic()
    const { id, key } = await createTestKey(ann.session, { scope: 'read' })
    const socket = await open({ token: key })
    await expectCloses([socket], 4401, ann.session('DELETE', `/api-keys/${id}`))
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
    await makePublic()
    const sockets = await Promise.all([open({}), open({ cookie: ann.cookie }), open({ token: ann.api_key })])
    await expectCloses(sockets, 4404, ann.key('DELETE', `/channels/${channel_id}`))
  })

  test('deleting a workspace closes the sockets of all its channels with 4404, even for a key confined to it', async () => {
    const workspace_id = await createTestWorkspace(ann.session)
    const { key } = await createTestKey(ann.session, { workspace_id })
    const ids = await times(2, () => createChannel({ key: ann.key, workspace_id }))
    const sockets = await Promise.all(
      ids.flatMap(id => [enter(url(), id, { cookie: ann.cookie }), enter(url(), id, { token: key })]),
    )
    await expectCloses(sockets, 4404, ann.session('DELETE', `/workspaces/${workspace_id}`))
  })

  test('a viewer who lost access receives no later changes', async () => {
    await makePublic()
    const viewer = await watchChannel(url(), channel_id, bob.api_key)
    const watching = await open({ token: bob.api_key })
    await expectCloses([watching], 4403, makePrivate())
    const owner = await watchChannel(url(), channel_id, ann.api_key)
    await ann.key('PATCH', `/channels/${channel_id}`, { name: 'Secret' })
    await owner.until(doc => doc.getMap('channel').get('name') === 'Secret')
    expect(viewer.doc.getMap('channel').get('name')).toBe('Channel')
    owner.leave()
    viewer.leave()
  })
})
