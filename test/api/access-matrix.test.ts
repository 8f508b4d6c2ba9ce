// Access of every kind of viewer to every visibility, over every route; and which web pages may make changes.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { VISIBILITIES } from '../../shared/channel.ts'
import { type Account, createAccount, createTestKey } from '../support/account.ts'
import { createChannel, patchWorkspace } from '../support/channels.ts'
import { denied, notFound, unauthorized } from '../support/errors.ts'
import { enter, type Pass, statusFor } from '../support/pass.ts'
import { caller, startTestService, type TestService } from '../support/service.ts'

const PASSWORD = 'open sesame'

let service: TestService
let ann: Account
let bob: Account
let channel_id: string
let slug: string
let unlock_cookie: string

beforeAll(async () => {
  service = await startTestService()
  ann = await createAccount(service)
  bob = await createAccount(service)
  channel_id = await createChannel(ann, { mode: 'interactive', webhook_url: 'https://secret.example' })
  slug = `s-${crypto.randomUUID().slice(0, 20)}`
  await patchWorkspace(ann, { custom_slug: slug, password: PASSWORD })
})
afterAll(() => service.stop())

const password = () => ({ status: 401, body: { error: 'Password required', workspace_id: ann.workspace_id } })
type Expected = { status: number; body?: object }
const sees = (can_edit: boolean): Expected => ({ status: 200, body: { can_edit } })

const viewers = {
  anonymous: (): Pass => ({}),
  owner: (): Pass => ({ cookie: ann.cookie }),
  'other user': (): Pass => ({ cookie: bob.cookie }),
  unlocked: (): Pass => ({ cookie: unlock_cookie }),
  'other user, unlocked': (): Pass => ({ cookie: `${bob.cookie}; ${unlock_cookie}` }),
}
type Kind = keyof typeof viewers

const matrix: Record<(typeof VISIBILITIES)[number], Record<Kind, () => Expected>> = {
  private: {
    anonymous: () => unauthorized,
    owner: () => sees(true),
    'other user': () => denied,
    unlocked: () => unauthorized,
    'other user, unlocked': () => denied,
  },
  protected: {
    anonymous: password,
    owner: () => sees(true),
    'other user': password,
    unlocked: () => sees(false),
    'other user, unlocked': () => sees(false),
  },
  public: {
    anonymous: () => sees(false),
    owner: () => sees(true),
    'other user': () => sees(false),
    unlocked: () => sees(false),
    'other user, unlocked': () => sees(false),
  },
}

describe.each(VISIBILITIES)('a %s workspace', visibility => {
  beforeAll(async () => {
    await patchWorkspace(ann, { visibility: 'protected' })
    const { headers } = await caller(`${service.url}/api`)('POST', '/channel-unlock', {
      workspace_id: ann.workspace_id,
      password: PASSWORD,
    })
    unlock_cookie = headers.get('Set-Cookie')?.split(';')[0] ?? ''
    await patchWorkspace(ann, { visibility })
  })

  test.each(Object.keys(viewers))('%s', async name => {
    const kind = Object.entries(viewers).find(([key]) => key === name)
    const expected = Object.entries(matrix[visibility]).find(([key]) => key === name)?.[1]()
    if (!kind || !expected) throw new Error(name)
    const pass = kind[1]()
    const get = (path: string) =>
      caller(`${service.url}/api`, pass.cookie === undefined ? {} : { Cookie: pass.cookie })('GET', path)

    expect(await get(`/channels/${channel_id}/view`)).toMatchObject(expected)
    expect(await get(`/workspaces/by-slug/${slug}`)).toMatchObject(expected)
    const page = await get(`/channels/${channel_id}/pages/0`)
    for (const look of ['first-cards', 'document']) {
      const { status } = await fetch(`${service.url}/api/channels/${channel_id}/${look}`, {
        headers: pass.cookie === undefined ? {} : { Cookie: pass.cookie },
      })
      expect(status).toBe(expected.status)
    }
    const upgrade = await statusFor(service.url, channel_id, pass)
    if (expected.status === 200) {
      expect(page).toMatchObject({ status: 200, body: { page: 0, cards: [] } })
      expect(upgrade).toBe(101)
    } else {
      expect(page).toMatchObject(expected)
      expect(upgrade).toBe(expected.status)
    }
  })
})

describe('sockets with a key', () => {
  test("the owner's key opens a socket for every visibility; another user's key counts as anonymous", async () => {
    for (const [visibility, status] of [
      ['private', 403],
      ['protected', 401],
      ['public', 101],
    ] as const) {
      await patchWorkspace(ann, { visibility })
      expect(await statusFor(service.url, channel_id, { token: ann.api_key })).toBe(101)
      expect(await statusFor(service.url, channel_id, { token: bob.api_key })).toBe(status)
    }
  })

  test('an unknown key returns 401, even for a public or an unknown channel', async () => {
    await patchWorkspace(ann, { visibility: 'public' })
    for (const token of ['', 'x', `cf_${'a'.repeat(43)}`]) {
      expect(await statusFor(service.url, channel_id, { token })).toBe(401)
      expect(await statusFor(service.url, crypto.randomUUID(), { token, cookie: ann.cookie })).toBe(401)
    }
  })

  test('a key confined to another workspace returns 403 for a private channel', async () => {
    await patchWorkspace(ann, { visibility: 'private' })
    const { body } = await ann.session<{ id: string }>('POST', '/workspaces', { name: 'Other' })
    const { key: token } = await createTestKey(ann.session, { workspace_id: body.id })
    expect(await statusFor(service.url, channel_id, { token })).toBe(403)
  })

  test('the view and pages ignore keys: only cookies count', async () => {
    await patchWorkspace(ann, { visibility: 'private' })
    const call = caller(`${service.url}/api`, { Authorization: `Bearer ${ann.api_key}` })
    expect(await call('GET', `/channels/${channel_id}/view`)).toMatchObject(unauthorized)
    expect(await call('GET', `/channels/${channel_id}/pages/0`)).toMatchObject(unauthorized)
  })
})

describe('unknown names', () => {
  test('unknown channels, slugs and pages return 404', async () => {
    for (const id of ['x', crypto.randomUUID()]) {
      for (const asked of ['view', 'pages/0', 'first-cards', 'document'])
        expect(await ann.session('GET', `/channels/${id}/${asked}`)).toMatchObject(notFound('Channel'))
      expect(await statusFor(service.url, id, { cookie: ann.cookie })).toBe(404)
    }
    for (const name of ['no-such-slug', 'TEAM', '%00', '%F0%9F%98%80', '%ED%A0%80', '%'])
      expect(await ann.session('GET', `/workspaces/by-slug/${name}`), name).toMatchObject(
        notFound('Workspace'),
      )
    for (const page of ['1', '-1', 'x', '1.5', '99999999999', '%00'])
      expect((await ann.session('GET', `/channels/${channel_id}/pages/${page}`)).status, page).toBe(404)
  })
})

describe('responses to viewers', () => {
  test('the view of a channel has its head and nothing only for the owner', async () => {
    await patchWorkspace(ann, { visibility: 'public' })
    const { body: action } = await ann.key('POST', `/channels/${channel_id}/actions`, { label: 'Go' })
    const { channel_id: _, ...shown } = action
    const view = await caller(`${service.url}/api`)('GET', `/channels/${channel_id}/view`)
    expect(view.body).toStrictEqual({
      channel: {
        id: channel_id,
        name: 'Channel',
        description: null,
        icon: '📡',
        mode: 'interactive',
        workspace_id: ann.workspace_id,
        visibility: 'public',
        actions: [shown],
      },
      can_edit: false,
      you: { kind: 'anonymous', name: null },
    })
    expect(view.headers.get('Cache-Control')).toBe('no-store')
  })

  test('the page of a workspace has its head, its channels with attributes, and the settings', async () => {
    await patchWorkspace(bob, { visibility: 'public', layout: 'grid' })
    const channel = await createChannel(bob, { attributes: { Env: 'prod', '1': 'x' } })
    const second = await createChannel(bob, { name: 'Second', description: 'D', icon: '🚀' })
    await bob.key('POST', `/channels/${second}/cards`, { blocks: [{ type: 'divider' }] })
    await bob.session('PUT', `/workspaces/${bob.workspace_id}/attribute-settings`, {
      key: 'env',
      use_as_filter: true,
    })
    const { body: own } = await bob.session('GET', `/workspaces/${bob.workspace_id}`)
    const { user_id: _, created_at: __, ...head } = own
    const page = await caller(`${service.url}/api`)('GET', `/workspaces/by-slug/${head.slug}`)
    expect(page.body).toStrictEqual({
      workspace: head,
      channels: [
        {
          id: channel,
          name: 'Channel',
          description: null,
          icon: '📡',
          mode: 'view',
          card_count: 0,
          attributes: { env: 'prod', '1': 'x' },
        },
        {
          id: second,
          name: 'Second',
          description: 'D',
          icon: '🚀',
          mode: 'view',
          card_count: 1,
          attributes: {},
        },
      ],
      attribute_settings: [
        { key: '1', use_as_filter: false, show_in_sidebar: false },
        { key: 'env', use_as_filter: true, show_in_sidebar: false },
      ],
      can_edit: false,
    })
    expect(Object.keys(head)).toEqual(
      'id name slug custom_slug icon visibility layout show_search'.split(' '),
    )
  })
})

describe('a web page of another origin', () => {
  const evil = { Origin: 'https://evil.example' }

  test.each([
    ['POST', '/workspaces', { name: 'X' }],
    ['PATCH', '/workspaces/:workspace', { name: 'X' }],
    ['DELETE', '/workspaces/:workspace', undefined],
    ['PUT', '/workspaces/:workspace/attribute-settings', { key: 'x' }],
    ['POST', '/channels', { name: 'X' }],
    ['PATCH', '/channels/:channel', { name: 'X' }],
    ['DELETE', '/channels/:channel', undefined],
    ['PUT', '/channels/:channel/attributes', { x: 'x' }],
    ['POST', '/channels/:channel/actions', { label: 'X' }],
    ['PUT', '/channels/:channel/actions/order', { action_ids: [] }],
    ['PUT', '/channels/:channel/actions/x', { label: 'X' }],
    ['PATCH', '/channels/:channel/actions/x', { label: 'X' }],
    ['DELETE', '/channels/:channel/actions/x', undefined],
    ['POST', '/channel-unlock', { workspace_id: 'x', password: 'x' }],
    ['POST', '/no-such-route', {}],
  ])('may not %s %s with the owner’s cookie', async (method, route, body) => {
    const path = route.replace(':workspace', ann.workspace_id).replace(':channel', channel_id)
    for (const origin of [
      'https://evil.example',
      'null',
      '',
      'http://127.0.0.1:1',
      `${service.url}.evil.example`,
    ])
      expect(await ann.session(method, path, body, { Origin: origin }), origin).toMatchObject(denied)
    expect((await ann.key('GET', `/channels/${channel_id}`)).body).toMatchObject({ name: 'Channel' })
  })

  test('gets no permission to read with cookies', async () => {
    const { headers } = await ann.session('GET', '/usage', undefined, evil)
    expect(headers.get('Access-Control-Allow-Origin')).toBeNull()
    expect(headers.get('Access-Control-Allow-Credentials')).toBeNull()
  })

  test('opens sockets without cookies', async () => {
    await patchWorkspace(ann, { visibility: 'private' })
    const pass = { cookie: ann.cookie, origin: 'https://evil.example' }
    expect(await statusFor(service.url, channel_id, pass)).toBe(401)
    expect(await statusFor(service.url, channel_id, { ...pass, token: ann.api_key })).toBe(101)
  })

  test('may call /api/v1 with a key and read the limit headers', async () => {
    const response = await ann.key('GET', `/channels/${channel_id}/attributes`, undefined, evil)
    expect(response.status).toBe(200)
    expect(response.headers.get('Access-Control-Allow-Origin')).toBe('*')
    expect(response.headers.get('Access-Control-Allow-Credentials')).toBeNull()
    const preflight = await caller(`${service.url}/api/v1`)(
      'OPTIONS',
      `/channels/${channel_id}/events`,
      undefined,
      { ...evil, 'Access-Control-Request-Method': 'PUT', 'Access-Control-Request-Headers': 'last-event-id' },
    )
    expect(preflight.status).toBe(204)
    expect(preflight.headers.get('Access-Control-Allow-Methods')).toContain('PUT')
    expect(preflight.headers.get('Access-Control-Allow-Headers')).toMatch(/last-event-id/i)
  })
})

test('the own origin is the host of the request, with or without an Origin header', async () => {
  const put = (headers: Record<string, string>) =>
    ann.session('PUT', `/channels/${channel_id}/attributes`, { x: 'x' }, headers)
  expect((await put({})).status).toBe(200)
  for (const origin of [service.url, service.url.replace('localhost', 'LOCALHOST')])
    expect((await put({ Origin: origin })).status).toBe(200)
  const socket = await enter(service.url, channel_id, { cookie: ann.cookie, origin: service.url })
  expect(socket.isOpen()).toBe(true)
  socket.leave()
})
