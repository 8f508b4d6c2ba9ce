// Access ends on one instance, and none of its notices reaches the other, as if it died right after its response.
// The other instance counts as connected, and must end the access too.
import { describe, expect, test } from 'vitest'
import {
  type Account,
  createAccount,
  createTestKey,
  createTestWorkspace,
  OWN_PASSWORD,
  signIn,
  unlock,
  withKey,
} from '../support/account.ts'
import { createChannel, patchWorkspace } from '../support/channels.ts'
import { loseNotices } from '../support/database.ts'
import { listenTo } from '../support/event-stream.ts'
import { PATIENT_LOCK_MS } from '../support/locks.ts'
import { openPage } from '../support/open-page.ts'
import { enter, statusFor } from '../support/pass.ts'
import { runDatabase, runInstances } from '../support/running.ts'
import { PASSWORD } from '../support/scene.ts'
import { callTo } from '../support/service.ts'
import { until } from '../support/viewer.ts'

const database = await runDatabase()
await loseNotices(database)
const { here, there } = await runInstances({ WORKSPACE_LIMIT: '0' }, { database, lock_ms: PATIENT_LOCK_MS })
async function setUp(): Promise<{ ann: Account; channel_id: string }> {
  const ann = await createAccount(here)
  return { ann, channel_id: await createChannel(ann) }
}

const statusThere = async (key: string, path = '/workspaces') =>
  (await withKey(there.url, key)('GET', path)).status

async function rejectedThere(key: string): Promise<void> {
  await until(async () => (await statusThere(key)) === 401, 'the key is rejected')
}

test('notices are lost, and both instances count as connected', async () => {
  for (const { url } of [here, there])
    expect(await callTo(url)('GET', '/readyz')).toMatchObject({ body: { other_instances: 'heard' } })
})

test('an event stream ends if its key was deleted while it opened', async () => {
  const { ann, channel_id } = await setUp()
  const [doomed, marker] = [await createTestKey(ann.session), await createTestKey(ann.session)]
  const opening = await database.sql.begin(async tx => {
    for (const { key } of [doomed, marker]) expect(await statusThere(key)).toBe(200)
    // The request has passed the check of its key, and waits to read the channel's owner.
    await tx`lock table channels in access exclusive mode`
    const stream = listenTo(there.url, doomed.key, channel_id)
    await until(async () => (await waitingForChannels()) > 0, 'the request waits')
    await database.sql`delete from api_keys where id = ${doomed.id}`
    await database.sql`delete from api_keys where id = ${marker.id}`
    // By then the other deletion was handled too.
    await rejectedThere(marker.key)
    return { stream }
  })
  const stream = await opening.stream
  expect(stream.status).toBe(200)
  await stream.ended
})

async function waitingForChannels(): Promise<number> {
  const waiting = await database.sql`
    select from pg_locks where relation = 'channels'::regclass and not granted`
  return waiting.length
}

describe.concurrent('lost notices', () => {
  test('a deleted key is rejected, and what it opened is closed', async () => {
    const { ann, channel_id } = await setUp()
    const { id, key } = await createTestKey(ann.session)
    expect(await statusThere(key)).toBe(200)
    const socket = await enter(there.url, channel_id, { token: key })
    const stream = await listenTo(there.url, key, channel_id)
    expect((await ann.session('DELETE', `/api-keys/${id}`)).status).toBe(204)
    await rejectedThere(key)
    expect(await socket.closed).toBe(4401)
    await stream.ended
  })

  test('an ended session and a sign-out close their sockets with 4401', async () => {
    const { ann, channel_id } = await setUp()
    const second = await enter(there.url, channel_id, { cookie: await signIn(here.url, ann.email) })
    const first = await enter(there.url, channel_id, { cookie: ann.cookie })
    expect(await ann.session('POST', '/auth/sessions/end-others')).toMatchObject({ body: { ended: 1 } })
    expect(await second.closed).toBe(4401)
    expect(first.isOpen()).toBe(true)
    expect((await ann.session('POST', '/auth/sign-out')).status).toBe(200)
    expect(await first.closed).toBe(4401)
  })

  test('a changed password closes sockets of the old cookie', async () => {
    const { ann, channel_id } = await setUp()
    const socket = await enter(there.url, channel_id, { cookie: ann.cookie })
    const change = { current_password: OWN_PASSWORD, new_password: 'battery staple' }
    expect((await ann.session('PATCH', '/auth/account', change)).status).toBe(200)
    expect(await socket.closed).toBe(4401)
  })

  test('a new workspace password closes viewers who unlocked with the old one', async () => {
    const { ann, channel_id } = await setUp()
    await patchWorkspace(ann, { visibility: 'protected', password: PASSWORD })
    const cookie = await unlock(there, { channel_id, password: PASSWORD })
    const socket = await enter(there.url, channel_id, { cookie })
    await patchWorkspace(ann, { password: 'another one' })
    expect(await socket.closed).toBe(4401)
  })

  test('a workspace made private closes its strangers’ channels and pages with 4403', async () => {
    const { ann, channel_id } = await setUp()
    await patchWorkspace(ann, { visibility: 'public' })
    const bob = await createAccount(here)
    const channel = await enter(there.url, channel_id, { cookie: bob.cookie })
    const page = await openPage(there.url, ann.slug, bob.cookie)
    const own = await enter(there.url, channel_id, { cookie: ann.cookie })
    await patchWorkspace(ann, { visibility: 'private' })
    expect([await channel.closed, await page.closed]).toEqual([4403, 4403])
    expect(own.isOpen()).toBe(true)
    own.leave()
  })

  test('a deleted channel is gone, for sockets, streams and requests', async () => {
    const { ann, channel_id } = await setUp()
    const path = `/channels/${channel_id}`
    expect(await statusThere(ann.api_key, path)).toBe(200)
    const socket = await enter(there.url, channel_id, { cookie: ann.cookie })
    const stream = await listenTo(there.url, ann.api_key, channel_id)
    expect((await ann.key('DELETE', path)).status).toBe(200)
    expect(await socket.closed).toBe(4404)
    await stream.ended
    await until(async () => (await statusThere(ann.api_key, path)) === 404, 'the channel is gone')
    expect(await statusFor(there.url, channel_id, { cookie: ann.cookie })).toBe(404)
  })

  test('a deleted workspace ends its channels and keys', async () => {
    const { ann } = await setUp()
    const workspace_id = await createTestWorkspace(ann.session)
    const channel_id = await createChannel({ key: ann.key, workspace_id })
    const { key } = await createTestKey(ann.session, { workspace_id })
    expect(await statusThere(key)).toBe(200)
    const socket = await enter(there.url, channel_id, { cookie: ann.cookie })
    expect((await ann.session('DELETE', `/workspaces/${workspace_id}`)).status).toBe(200)
    expect(await socket.closed).toBe(4404)
    await rejectedThere(key)
  })

  test('without any notice, changes by SQL end access in the same way', async () => {
    const { ann, channel_id } = await setUp()
    const [gone, narrowed] = [await createTestKey(ann.session), await createTestKey(ann.session)]
    for (const { key } of [gone, narrowed]) expect(await statusThere(key)).toBe(200)
    const socket = await enter(there.url, channel_id, { cookie: ann.cookie })
    await database.sql`delete from api_keys where id = ${gone.id}`
    await database.sql`update api_keys set expires_at = now() where id = ${narrowed.id}`
    await database.sql`delete from sessions where user_id = ${ann.user_id}`
    await rejectedThere(gone.key)
    await rejectedThere(narrowed.key)
    expect(await socket.closed).toBe(4401)
  })

  test('a change that was committed after later changes is not missed', async () => {
    const { ann } = await setUp()
    const [early, late] = [await createTestKey(ann.session), await createTestKey(ann.session)]
    for (const { key } of [early, late]) expect(await statusThere(key)).toBe(200)
    await database.sql.begin(async tx => {
      await tx`delete from api_keys where id = ${early.id}`
      await ann.session('DELETE', `/api-keys/${late.id}`)
      await rejectedThere(late.key)
      expect(await statusThere(early.key)).toBe(200)
    })
    await rejectedThere(early.key)
  })
})
