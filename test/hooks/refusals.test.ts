// Hooks that are refused, in the order of the checks. Every status but 200 means “no decision” to the hosts.
import { randomUUID } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { createAccount, createTestKey, createTestWorkspace } from '../support/account.ts'
import { createChannel, patchWorkspace } from '../support/channels.ts'
import { failed, forbidden, invalid, notFound, unauthorized } from '../support/errors.ts'
import {
  buildHookScene,
  cardsOf,
  HOST_IDS,
  type HookScene,
  hookAnswer,
  openHook,
  TOOL_HOOKS,
} from '../support/hooks.ts'
import { readMetric } from '../support/metrics.ts'
import { runService } from '../support/running.ts'
import { createPeople, createTeam, type People } from '../support/team.ts'
import { times } from '../support/times.ts'
import { until } from '../support/viewer.ts'

const service = await runService({ WORKSPACE_LIMIT: '0' })
const scene = await buildHookScene(service)
const { account } = scene
const stranger = await buildHookScene(service)
const public_scene = await buildHookScene(service)
await patchWorkspace(public_scene.account, { visibility: 'public' })
const view_scene = await buildHookScene(service)
await view_scene.account.key('PATCH', `/channels/${view_scene.channel_id}`, { mode: 'view' })
const { key: read_key } = await createTestKey(account.session, { scope: 'read' })

const WAITING = 'channel_feed_waiting_requests'
const UNASKED = { hook_event_name: 'SessionStart' }
const send = (to: HookScene, sent: Parameters<typeof hookAnswer>[2] = {}) =>
  hookAnswer(to, 'claude-code', sent)
const withKey = (key: string) => ({ headers: { Authorization: `Bearer ${key}` } })
const inChannel = (channel_id: string) => ({ ...scene, channel_id })
const denied = forbidden('Access denied')

test.each(HOST_IDS)('the checks of %s run in the order of all requests', async host => {
  const broken = { body: '[', query: '&wait=1' }
  const refused = (to: HookScene, sent: Parameters<typeof hookAnswer>[2]) => hookAnswer(to, host, sent)
  const foreign = { Origin: 'https://elsewhere.example', Authorization: 'none' }
  expect(await refused(inChannel('x'), { ...broken, headers: foreign })).toMatchObject(denied)
  expect(await refused(inChannel('x'), { ...broken, ...withKey('cf_none') })).toMatchObject(unauthorized)
  for (const id of ['x', randomUUID()])
    expect(await refused(inChannel(id), { ...broken, ...withKey(read_key) })).toMatchObject(
      notFound('Channel'),
    )
  expect(await refused(inChannel(stranger.channel_id), { ...broken, ...withKey(read_key) })).toMatchObject(
    denied,
  )
  expect(await refused(scene, { ...broken, ...withKey(read_key) })).toMatchObject(denied)
  expect(await refused(public_scene, broken)).toMatchObject(invalid('Invalid JSON'))
  expect(await refused(public_scene, { query: '&wait=1' })).toMatchObject(
    invalid('wait must be a whole number from 10 to 3600'),
  )
  expect(await refused(public_scene, {})).toMatchObject(
    forbidden('Hooks need a workspace that is not public'),
  )
  expect(await refused(view_scene, {})).toMatchObject(forbidden('Channel is not interactive'))
})

test('rights are checked before the event: what is not asked about is 403 where a question would be', async () => {
  const sent = { body: UNASKED }
  expect(await send(scene, { ...sent, ...withKey(read_key) })).toMatchObject(denied)
  expect(await send(public_scene, sent)).toMatchObject({ status: 403 })
  expect(await send(view_scene, sent)).toMatchObject({ status: 403 })
  expect(await send(scene, sent)).toMatchObject({ status: 200, body: {} })
})

test('owner and editors may ask in a channel, and nobody else', async () => {
  const team = await createTeam(await createPeople(service))
  const { owner, channel_id } = team
  const statusFor = async (role: keyof People) => {
    const machine = await createTestKey(team[role].session)
    const to = { url: service.url, account: owner, channel_id, machine }
    return (await send(to, { body: UNASKED })).status
  }
  const roles = ['owner', 'editor', 'member', 'viewer', 'stranger'] as const
  expect(await Promise.all(roles.map(statusFor))).toEqual([200, 200, 403, 403, 403])
})

describe('body', () => {
  test.each<[string, Parameters<typeof hookAnswer>[2], number, string]>([
    ['too large', { body: 'x'.repeat(262_145) }, 413, 'Request body too large'],
    [
      'no JSON',
      { body: '{', headers: { 'Content-Type': 'text/plain' } },
      400,
      'Content-Type must be application/json',
    ],
    ['a list', { body: [UNASKED] }, 400, 'The request body must be a JSON object'],
    ['without an event', { body: { session_id: 'a' } }, 400, 'hook_event_name is required'],
    ['without a tool', { body: { ...TOOL_HOOKS.codex, tool_name: null } }, 400, 'tool_name must be a string'],
    ['with NUL', { body: { ...TOOL_HOOKS.codex, cwd: '\0' } }, 400, 'cwd must not contain NUL'],
    ['with half a character', { body: { ...UNASKED, x: '\ud800' } }, 400, 'x must be well-formed Unicode'],
  ])('a body that is %s is refused', async (_, sent, status, error) => {
    expect(await send(scene, sent)).toMatchObject({ status, body: { error } })
  })
})

describe('address', () => {
  const wait = 'wait must be a whole number from 10 to 3600'
  const who = 'who must be me, members, owner or 1 to 50 e-mail addresses'
  test.each([
    ...['9', '3601', '', '10.5', '1e2', '-10', '99999999999'].map(given => [`wait=${given}`, wait]),
    ...['', 'anyone', 'a@b.c,', 'ann', Array(51).fill('a@b.c').join(',')].map(given => [`who=${given}`, who]),
    ['who=a%00@b.c', 'who must be well-formed Unicode without NUL'],
    ['remember=yes', 'remember must be one of on, off'],
    ['who=nobody@example.com', 'who[0] has no account'],
  ])('%s is refused by name', async (query, error) => {
    expect(await send(scene, { query: `&${query}` })).toMatchObject(invalid(error))
  })

  test('the second of several addresses is named', async () => {
    const query = `&who=${account.email},nobody@example.com`
    expect(await send(scene, { query })).toMatchObject(invalid('who[1] has no account'))
  })

  test('other people decide only if the address lets them', async () => {
    const whoOf = async (query: string) => {
      const hook = await openHook(scene, 'codex', { query })
      const path = `/channels/${scene.channel_id}/decisions/${hook.decision_id}`
      const { body } = await account.key<{ who: unknown }>('GET', path)
      hook.leave()
      return body.who
    }
    const both = `${account.email},${stranger.account.email}`
    expect(await whoOf('')).toEqual([account.email])
    expect(await whoOf('&who=me')).toEqual([account.email])
    expect(await whoOf('&who=members')).toBe('members')
    expect(await whoOf('&who=owner')).toBe('owner')
    expect(await whoOf(`&who=${encodeURIComponent(` ${both.toUpperCase()} `)}`)).toEqual(both.split(','))
  })
})

describe('channel', () => {
  const post = async (key: string) => {
    const response = await fetch(`${service.url}/hooks/claude-code`, {
      method: 'POST',
      headers: { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' },
      body: JSON.stringify(UNASKED),
    })
    return { status: response.status, body: await response.json() }
  }

  test('without a channel in the address, the key’s only one counts', async () => {
    const ann = await createAccount(service)
    const other = await createTestWorkspace(ann.session)
    const { key } = await createTestKey(ann.session, { workspace_id: ann.workspace_id })
    const required = (count: number) => invalid(`channel is required: the key reaches ${count} channels`)
    expect(await post(key)).toMatchObject(required(0))
    await createChannel(ann, { mode: 'interactive' })
    await createChannel({ ...ann, workspace_id: other })
    expect(await post(key)).toEqual({ status: 200, body: {} })
    expect(await post(ann.api_key)).toMatchObject(required(2))
    await createChannel(ann)
    expect(await post(key)).toMatchObject(required(2))
  })

  test('the only channel is no way around its mode', async () => {
    const ann = await createAccount(service)
    await createChannel(ann)
    expect(await post(ann.api_key)).toMatchObject(forbidden('Channel is not interactive'))
  })
})

test.each(['GET', 'PUT', 'DELETE'])('%s of a hook returns 404', async method => {
  const response = await fetch(`${service.url}/hooks/claude-code`, { method })
  expect([response.status, await response.json()]).toEqual([404, { error: 'Not found' }])
})

test('an unknown host returns 404', async () => {
  const response = await fetch(`${service.url}/hooks/other`, { method: 'POST' })
  expect(await response.json()).toEqual({ error: 'Not found' })
})

describe('limits', () => {
  const tooMany = failed(429, 'Too many waiting requests')

  test('a key has 30 open hooks; the 31st gets 429 and no card, until one of them ends', async () => {
    const { account, channel_id } = await buildHookScene(service)
    const busy = { url: service.url, account, channel_id, machine: await createTestKey(account.session) }
    const hooks = await times(30, () => openHook(busy, 'codex'))
    const refused = await hookAnswer(busy, 'claude-code')
    expect(refused).toMatchObject(tooMany)
    expect(refused.headers.get('Retry-After')).toBe('5')
    expect(await cardsOf(busy)).toHaveLength(30)
    expect(await readMetric(service, WAITING)).toBeGreaterThanOrEqual(30)
    expect(await send(busy, { body: UNASKED })).toMatchObject({ status: 200 })
    const [first, ...others] = hooks
    first?.leave()
    let last = first
    await until(async () => {
      last = await openHook(busy, 'codex').catch(() => undefined)
      return last !== undefined
    }, 'a hook is accepted again')
    for (const hook of [last, ...others]) hook?.leave()
    await until(async () => (await readMetric(service, WAITING)) === 0, 'no hook waits any more')
  })

  test('the limit of waits holds for hooks, which then have no card', async () => {
    const small = await buildHookScene(await runService({}, { waits_per_instance: 1 }))
    const hook = await openHook(small, 'codex')
    expect(await hookAnswer(small, 'codex')).toMatchObject(tooMany)
    expect(await cardsOf(small)).toHaveLength(1)
    hook.leave()
  })

  test('each question counts toward the daily card limit', async () => {
    const limited = await buildHookScene(await runService({ DAILY_CARD_LIMIT: '1' }))
    const hook = await openHook(limited, 'codex')
    expect(await hookAnswer(limited, 'codex')).toMatchObject(failed(429, 'Daily card limit reached'))
    expect(await cardsOf(limited)).toHaveLength(1)
    hook.leave()
  })
})
