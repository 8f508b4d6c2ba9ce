// Requests that wait for a decision: when they are answered, with what, and how many there may be.
import { beforeEach, describe, expect, test } from 'vitest'
import { createAccount, createTestKey, withKey } from '../support/account.ts'
import { afterTest } from '../support/after-test.ts'
import { createChannel } from '../support/channels.ts'
import { type Asked, ask, unheard, waitFor } from '../support/decisions.ts'
import { failed } from '../support/errors.ts'
import { runService } from '../support/running.ts'
import { buildScene, type Scene } from '../support/scene.ts'
import { startTestService } from '../support/service.ts'
import { until } from '../support/viewer.ts'

const service = await runService({ WORKSPACE_LIMIT: '0' })
let scene: Scene
let asked: Asked
beforeEach(async () => {
  scene = await buildScene(service)
  asked = await ask(scene.account.key, scene.channel_id)
})

const waits = (count: number, at = service) => until(() => at.waits.open.length === count, `${count} wait`)
const press = (button_id = 'yes') =>
  scene.interact({ card_id: asked.card_id, trigger: { type: 'button_click', button_id } })
/** A press is answered in this time on the same instance. */
const PROMPT_MS = 1_000

describe('a waiting request', () => {
  test('D2: a waiting request gets the outcome within a second, by id, by card and over both APIs', async () => {
    const { key, session } = scene.account
    const by_card = `/channels/${scene.channel_id}/cards/${asked.card_id}/decision`
    const answers = Promise.all([
      waitFor(key, asked.path),
      waitFor(session, asked.path),
      waitFor(key, by_card),
    ])
    await waits(3)
    const began = performance.now()
    await press()
    for (const { status, headers, body } of await answers) {
      expect(status).toBe(200)
      expect(headers.get('Cache-Control')).toBe('no-store')
      expect(body).toMatchObject({ id: asked.id, state: 'decided', outcome: { button_id: 'yes' } })
    }
    expect(performance.now() - began).toBeLessThan(PROMPT_MS)
    await waits(0)
  })

  test('D2: a waiting request for one question is not answered by another’s end, nor by other writes', async () => {
    const { key } = scene.account
    const other = await ask(key, scene.channel_id)
    const answer = waitFor(key, asked.path)
    await waits(1)
    await key('DELETE', other.path)
    await scene.reply('hello')
    expect(service.waits.open).toHaveLength(1)
    await press('no')
    expect((await answer).body).toMatchObject({ state: 'decided', outcome: { button_id: 'no' } })
  })

  test('D2: a waiting request ends when the question is withdrawn, and when its card is deleted', async () => {
    const { key } = scene.account
    const second = await ask(key, scene.channel_id)
    const answers = [waitFor(key, asked.path), waitFor(key, second.path)]
    await waits(2)
    await key('DELETE', asked.path)
    await key('DELETE', `/channels/${scene.channel_id}/cards/${second.card_id}`)
    const [withdrawn, deleted] = await Promise.all(answers)
    expect(withdrawn?.body).toMatchObject({ state: 'cancelled', reason: 'withdrawn', outcome: null })
    expect(deleted?.body).toMatchObject({ state: 'cancelled', reason: 'deleted', card_id: null })
  })

  test('D2: a waiting request is answered at once if the decision has ended, or without `wait`', async () => {
    const { key } = scene.account
    expect((await waitFor(key, asked.path, 0)).body.state).toBe('waiting')
    await press()
    expect((await waitFor(key, asked.path)).body.state).toBe('decided')
    expect(service.waits.open).toHaveLength(0)
  })
})

describe('silence', () => {
  test('D3: a wait that is over is answered with `waiting`', async () => {
    const { body, ms } = await waitFor(scene.account.key, asked.path, 1)
    expect(body).toMatchObject({ state: 'waiting', outcome: null, ended_at: null })
    expect(ms).toBeGreaterThan(900)
  })

  test('D3: a wait may take longer than other requests, which get 503 after 10.5 s', {
    timeout: 30_000,
  }, async () => {
    const { status, body, ms } = await waitFor(scene.account.key, asked.path, 12)
    expect([status, body.state]).toEqual([200, 'waiting'])
    expect(ms).toBeGreaterThan(11_500)
  })

  test('D3: a question that expires while a request waits ends it as `expired`, within seconds', async () => {
    const { key } = scene.account
    const { path } = await ask(key, scene.channel_id, { expires_in: 1, approves: 'yes' })
    const { body, ms } = await waitFor(key, path)
    expect(body).toMatchObject({ state: 'expired', outcome: null, reason: null })
    expect(body.ended_at).toBe(body.expires_at)
    expect(ms).toBeLessThan(5_000)
  })
})

describe('the end of a wait', () => {
  test('a wait ends with 401 if its key is deleted, and the other waits stay', async () => {
    const { account } = scene
    const doomed = await createTestKey(account.session)
    const ended = waitFor(withKey(service.url, doomed.key), asked.path)
    const other = waitFor(account.key, asked.path)
    await waits(2)
    await account.session('DELETE', `/api-keys/${doomed.id}`)
    expect(await ended).toMatchObject(failed(401, 'Unauthorized'))
    await press()
    expect((await other).body.state).toBe('decided')
  })

  test('a wait ends with 401 if its key expires, or its session ends', async () => {
    const { account } = scene
    const expires_at = new Date(Date.now() + 4_000).toISOString()
    const { key } = await createTestKey(account.session, { expires_at })
    const waiting = [waitFor(withKey(service.url, key), asked.path), waitFor(account.session, asked.path)]
    await waits(2)
    await account.session('POST', '/auth/sign-out')
    for (const answer of waiting) expect(await answer).toMatchObject(failed(401, 'Unauthorized'))
  })

  test('a wait ends with 404 if its channel or workspace is deleted', async () => {
    const { account } = scene
    const { id } = (await account.session<{ id: string }>('POST', '/workspaces', { name: 'Other' })).body
    const channel_id = await createChannel({ key: account.key, workspace_id: id })
    const second = await ask(account.key, channel_id)
    const waiting = [waitFor(account.key, asked.path), waitFor(account.key, second.path)]
    await waits(2)
    await account.key('DELETE', `/channels/${scene.channel_id}`)
    await account.session('DELETE', `/workspaces/${id}`)
    for (const answer of waiting) expect(await answer).toMatchObject(failed(404, 'Channel not found'))
  })

  test('a wait ends without a trace if the client leaves', async () => {
    const controller = new AbortController()
    const headers = { Authorization: `Bearer ${scene.account.api_key}` }
    const { signal } = controller
    const left = fetch(`${service.url}/api/v1${asked.path}?wait=50`, { headers, signal }).catch(() => 'left')
    await waits(1)
    controller.abort()
    expect(await left).toBe('left')
    await waits(0)
  })

  test('1,000 waits of a key are served, and the next gets 429 with Retry-After', async () => {
    const { account, channel_id } = scene
    const { id, key } = await createTestKey(account.session)
    const one = { user_id: account.user_id, key: keyWith(id, account.user_id), session_id: undefined }
    const decision = { id: asked.id, channel_id }
    const opened = Array.from({ length: 1_000 }, () => service.waits.add(decision, one, 60_000, unheard))
    const refused = await waitFor(withKey(service.url, key), asked.path)
    expect(refused).toMatchObject(failed(429, 'Too many waiting requests'))
    expect(refused.headers.get('Retry-After')).toMatch(/^\d+$/)
    expect((await waitFor(account.key, asked.path, 1)).status, 'another key waits').toBe(200)
    for (const wait of opened) service.waits.remove(wait)
    await waits(0)
    expect((await waitFor(withKey(service.url, key), asked.path, 1)).status).toBe(200)
  })
})

function keyWith(id: string, user_id: string) {
  return { id, user_id, scope: 'read', workspace_id: null, expires_at: null } as const
}

describe('a shutdown', () => {
  async function start() {
    const service = await startTestService()
    const account = await createAccount(service)
    const channel_id = await createChannel(account)
    const asked = await ask(account.key, channel_id)
    return { service, account, asked }
  }

  test('a shutdown answers all waits with the current state', async () => {
    const { service, account, asked } = await start()
    const answers = Promise.all([waitFor(account.key, asked.path), waitFor(account.session, asked.path)])
    await waits(2, service)
    await service.stop()
    for (const { status, body } of await answers)
      expect([status, body.id, body.state]).toEqual([200, asked.id, 'waiting'])
  })

  test('a drain answers all waits too', async () => {
    const { service, account, asked } = await start()
    const answer = waitFor(account.key, asked.path)
    await waits(1, service)
    await service.drain(200, new AbortController().signal)
    const { headers, body } = await answer
    expect(body.state).toBe('waiting')
    expect(headers.get('Connection'), 'the next request goes to another instance').toBe('close')
    await service.stop()
  })
})

test('an instance serves as many waits as its limit, for all keys together; the next gets 429', async () => {
  const service = await startTestService({}, { waits_per_instance: 2 })
  afterTest(service.stop)
  const account = await createAccount(service)
  const asked = await ask(account.key, await createChannel(account, { mode: 'interactive' }))
  const other = withKey(service.url, (await createTestKey(account.session)).key)
  const answers = [waitFor(account.key, asked.path), waitFor(account.session, asked.path)]
  await waits(2, service)
  const refused = await waitFor(other, asked.path)
  expect(refused).toMatchObject(failed(429, 'Too many waiting requests'))
  await account.key('DELETE', asked.path)
  for (const answer of answers) expect((await answer).body.state).toBe('cancelled')
  const next = await ask(account.key, asked.path.split('/')[2] ?? '')
  expect((await waitFor(other, next.path, 1)).status).toBe(200)
})

test('a question that is overdue when an instance starts is closed', async () => {
  const first = await startTestService()
  const account = await createAccount(first)
  const channel_id = await createChannel(account)
  const { id } = await ask(account.key, channel_id, { expires_in: 3_600 })
  const [asked] = await first.sql`select state from decisions where id = ${id}`
  expect(asked).toEqual({ state: 'waiting' })
  const later = Date.now() + 3_600_000
  const second = await startTestService({}, { database: first.database, now: () => later })
  const rows = () => second.sql<{ state: string }[]>`select state from decisions where id = ${id}`
  await until(async () => (await rows())[0]?.state === 'expired', 'it is closed')
  await second.stop()
  await first.stop()
})
