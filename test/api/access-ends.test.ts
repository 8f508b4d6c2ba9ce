// When access ends, open sockets close within two seconds on every instance, with a code that names the reason.
import { beforeEach, describe, expect, test } from 'vitest'
import {
  type Account,
  cookieOf,
  createAccount,
  createTestKey,
  OWN_PASSWORD,
  signIn,
  unlock,
} from '../support/account.ts'
import { createChannel, patchWorkspace } from '../support/channels.ts'
import { listenTo } from '../support/event-stream.ts'
import { openPage } from '../support/open-page.ts'
import { enter, type Pass, watchChannel } from '../support/pass.ts'
import { runInstances } from '../support/running.ts'
import { PASSWORD } from '../support/scene.ts'
import { create } from '../support/service.ts'
import { times } from '../support/times.ts'
import { upgradeStatus } from '../support/viewer.ts'

const WITHIN_MS = 2_000

type Opened = { closed: Promise<number>; isOpen: () => boolean }

let ann: Account
let bob: Account
let channel_id: string

const { here, there } = await runInstances({ WORKSPACE_LIMIT: '0' })
beforeEach(async () => {
  ann = await createAccount(here)
  bob = await createAccount(here)
  channel_id = await createChannel(ann)
})

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

const expectStay = (sockets: Opened[]) =>
  expect(sockets.map(socket => socket.isOpen())).toEqual(sockets.map(() => true))

describe.each([
  ['the same instance', here.url],
  ['the other instance', there.url],
])('%s', (_, url) => {
  /** Opens the channel for each viewer and, except with a key, the workspace's page. */
  async function open(...passes: Pass[]): Promise<Opened[]> {
    const channels = passes.map(pass => enter(url, channel_id, pass))
    const byCookie = passes.filter(({ token }) => token === undefined)
    const pages = byCookie.map(({ cookie }) => openPage(url, ann.slug, cookie))
    return [...(await Promise.all(channels)), ...(await Promise.all(pages))]
  }
  const makePublic = () => patchWorkspace(ann, { visibility: 'public' })
  const makePrivate = () => patchWorkspace(ann, { visibility: 'private' })
  const protect = () => patchWorkspace(ann, { visibility: 'protected', password: PASSWORD })
  const openUnlocked = async () => open({ cookie: await unlock(here, { channel_id, password: PASSWORD }) })
  /** From another browser of Ann's. */
  const openElsewhere = async () => open({ cookie: await signIn(here.url, ann.email) })

  test('making a public workspace private closes everyone except its owner with 4403', async () => {
    await makePublic()
    const closing = await open({}, { cookie: bob.cookie }, { token: bob.api_key })
    const staying = await open({ cookie: ann.cookie }, { token: ann.api_key })
    await expectCloses(closing, 4403, makePrivate())
    expectStay(staying)
  })

  test('protecting a public workspace closes viewers with 4401', async () => {
    await makePublic()
    await expectCloses(await open({}, { cookie: bob.cookie }), 4401, protect())
  })

  test('changing the password closes viewers who unlocked with the old one with 4401, not the owner', async () => {
    await protect()
    const closing = await openUnlocked()
    const staying = await open({ cookie: ann.cookie })
    await expectCloses(closing, 4401, patchWorkspace(ann, { password: 'another one' }))
    expectStay(staying)
  })

  test('making a protected workspace private closes viewers who unlocked it with 4403', async () => {
    await protect()
    await expectCloses(await openUnlocked(), 4403, makePrivate())
  })

  test('making a protected workspace public keeps its viewers', async () => {
    await protect()
    const staying = await openUnlocked()
    const { id, key } = await createTestKey(ann.session)
    const doomed = await open({ token: key })
    await makePublic()
    // Notices arrive in order, so the first change has arrived when the later one has.
    await expectCloses(doomed, 4401, ann.session('DELETE', `/api-keys/${id}`))
    expectStay(staying)
  })

  test("signing out closes the owner's sockets of a private workspace with 4401", async () => {
    await expectCloses(await open({ cookie: ann.cookie }), 4401, ann.session('POST', '/auth/sign-out', {}))
  })

  test('ending a session from another one closes its sockets with 4401; the other stays', async () => {
    const closing = await openElsewhere()
    const staying = await open({ cookie: ann.cookie })
    const end = async () => {
      const { body } = await ann.session<{ id: string; current: boolean }[]>('GET', '/auth/sessions')
      const id = body.find(({ current }) => !current)?.id
      expect((await ann.session('DELETE', `/auth/sessions/${id}`)).status).toBe(204)
    }
    await expectCloses(closing, 4401, end())
    expectStay(staying)
  })

  test('ending all other sessions closes their sockets with 4401; this one stays', async () => {
    const closing = [...(await openElsewhere()), ...(await openElsewhere())]
    const staying = await open({ cookie: ann.cookie })
    await expectCloses(closing, 4401, ann.session('POST', '/auth/sessions/end-others'))
    expectStay(staying)
  })

  test('a new account password closes the other sessions and sockets with the old token with 4401', async () => {
    const closing = [...(await openElsewhere()), ...(await open({ cookie: ann.cookie }))]
    const passwords = { current_password: OWN_PASSWORD, new_password: 'battery staple' }
    const change = ann.session('PATCH', '/auth/account', passwords)
    await expectCloses(closing, 4401, change)
    expectStay(await open({ cookie: cookieOf((await change).headers) }))
  })

  test('deleting a key closes its sockets with 4401, even on a public channel, and ends its event streams', async () => {
    await makePublic()
    const { id, key } = await createTestKey(ann.session, { scope: 'read' })
    const stream = await listenTo(url, key, channel_id)
    await expectCloses(await open({ token: key }), 4401, ann.session('DELETE', `/api-keys/${id}`))
    await stream.ended
  })

  test('an expiring key closes its sockets with 4401, and ends its event streams', async () => {
    const expires = Date.now() + 2_000
    const { key } = await createTestKey(ann.session, { expires_at: new Date(expires).toISOString() })
    const stream = await listenTo(url, key, channel_id)
    const [socket] = await open({ token: key })
    const ends = [socket?.closed, stream.ended].map(async end => {
      const code = await end
      expect(Date.now() - expires).toBeLessThan(WITHIN_MS)
      expect(Date.now()).toBeGreaterThanOrEqual(expires)
      return code
    })
    expect(await Promise.all(ends)).toEqual([4401, undefined])
  })

  test("deleting a channel closes all its sockets with 4404, the owner's too, and ends its event streams", async () => {
    await makePublic()
    const passes = [{}, { cookie: ann.cookie }, { token: ann.api_key }]
    const sockets = await Promise.all(passes.map(pass => enter(url, channel_id, pass)))
    const stream = await listenTo(url, ann.api_key, channel_id)
    await expectCloses(sockets, 4404, ann.key('DELETE', `/channels/${channel_id}`))
    await stream.ended
  })

  test('deleting a workspace closes its page and all its channels with 4404, even for a key confined to it', async () => {
    const { id: workspace_id, slug } = await create<{ id: string; slug: string }>(
      ann.session,
      '/workspaces',
      { name: 'Doomed' },
    )
    const { key } = await createTestKey(ann.session, { workspace_id })
    const { cookie } = ann
    const ids = await times(2, () => createChannel({ key: ann.key, workspace_id }))
    const sockets = ids.flatMap(id => [enter(url, id, { cookie }), enter(url, id, { token: key })])
    const opened: Opened[] = [...(await Promise.all(sockets)), await openPage(url, slug, cookie)]
    const streams = await Promise.all(ids.map(id => listenTo(url, key, id)))
    await patchWorkspace(bob, { visibility: 'public' })
    const elsewhere = await enter(url, await createChannel(bob), { token: key })
    await expectCloses(opened, 4404, ann.session('DELETE', `/workspaces/${workspace_id}`))
    await Promise.all(streams.map(({ ended }) => ended))
    expect(await upgradeStatus(url, `/live/workspaces/${slug}`, { Cookie: cookie })).toBe(404)
    // The key ends with its workspace, and with it what it opened in others.
    expect(await elsewhere.closed).toBe(4401)
  })

  test('a viewer who lost access receives no later changes', async () => {
    await makePublic()
    const viewer = await watchChannel(url, channel_id, bob.api_key)
    await expectCloses(await open({ token: bob.api_key }), 4403, makePrivate())
    const owner = await watchChannel(url, channel_id, ann.api_key)
    await ann.key('PATCH', `/channels/${channel_id}`, { name: 'Secret' })
    await owner.until(doc => doc.getMap('channel').get('name') === 'Secret')
    expect(viewer.doc.getMap('channel').get('name')).toBe('Channel')
  })
})

describe('access that ends during an upgrade', () => {
  test("access that ends during an upgrade isn't kept by a socket", async () => {
    const opened = await times(20, async () => {
      const { id, key } = await createTestKey(ann.session)
      const opening = enter(there.url, channel_id, { token: key }).catch(() => null)
      await ann.session('DELETE', `/api-keys/${id}`)
      return opening
    })
    for (const socket of opened) if (socket) expect(await socket.closed).toBe(4401)
  })

  test("access that ends during an upgrade isn't kept by a page", async () => {
    await patchWorkspace(ann, { visibility: 'public' })
    for (let round = 0; round < 5; round++) {
      const opening = times(4, () => openPage(there.url, ann.slug, bob.cookie).catch(() => null))
      await patchWorkspace(ann, { visibility: 'private' })
      for (const page of await opening) if (page) expect(await page.closed).toBe(4403)
      await patchWorkspace(ann, { visibility: 'public' })
    }
  })
})
