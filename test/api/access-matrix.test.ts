// Access of every kind of viewer to every visibility, over every route; and which web pages may open sockets.
import { beforeAll, describe, expect, test } from 'vitest'
import { VISIBILITIES } from '../../shared/channel.ts'
import { createAccount, createTestKey, createTestWorkspace, unlock } from '../support/account.ts'
import { createChannel, patchWorkspace } from '../support/channels.ts'
import { denied, notFound, unauthorized } from '../support/errors.ts'
import { statusFor } from '../support/pass.ts'
import { runWithOwner } from '../support/running.ts'
import { PASSWORD } from '../support/scene.ts'
import { caller } from '../support/service.ts'

let unlock_cookie: string

const { service, ann } = await runWithOwner()
const bob = await createAccount(service)
const channel_id = await createChannel(ann, { mode: 'interactive', webhook_url: 'https://secret.example' })
const slug = `s-${crypto.randomUUID().slice(0, 20)}`
await patchWorkspace(ann, { custom_slug: slug, password: PASSWORD })

const password = { status: 401, body: { error: 'Password required', workspace_id: ann.workspace_id } }
const sees = { status: 200, body: { can_edit: false } }
const edits = { status: 200, body: { can_edit: true } }

/** What a viewer gets in a private, a protected and a public workspace. */
const table: [string, () => { Cookie?: string }, { status: number; body: object }[]][] = [
  ['anonymous', () => ({}), [unauthorized, password, sees]],
  ['owner', () => ({ Cookie: ann.cookie }), [edits, edits, edits]],
  ['other user', () => ({ Cookie: bob.cookie }), [denied, password, sees]],
  ['unlocked', () => ({ Cookie: unlock_cookie }), [unauthorized, sees, sees]],
  ['other user, unlocked', () => ({ Cookie: `${bob.cookie}; ${unlock_cookie}` }), [denied, sees, sees]],
]

describe.each(VISIBILITIES)('a %s workspace', visibility => {
  beforeAll(async () => {
    await patchWorkspace(ann, { visibility: 'protected' })
    unlock_cookie = await unlock(service, { workspace_id: ann.workspace_id, password: PASSWORD })
    await patchWorkspace(ann, { visibility })
  })

  test.each(table)('and a viewer who is %s', async (_, headersOf, row) => {
    const headers = headersOf()
    const { status = 0, body = {} } = row[VISIBILITIES.indexOf(visibility)] ?? {}
    const get = (path: string) => caller(`${service.url}/api`, headers)('GET', path)
    expect(await get(`/channels/${channel_id}/view`)).toMatchObject({ status, body })
    expect(await get(`/workspaces/by-slug/${slug}`)).toMatchObject({ status, body })
    expect(await get(`/channels/${channel_id}/pages/0`)).toMatchObject({
      status,
      body: status === 200 ? { page: 0, cards: [] } : body,
    })
    for (const look of ['first-cards', 'document']) {
      const response = await fetch(`${service.url}/api/channels/${channel_id}/${look}`, { headers })
      expect(response.status).toBe(status)
    }
    const upgrade = await statusFor(service.url, channel_id, { cookie: headers.Cookie ?? '' })
    expect(upgrade).toBe(status === 200 ? 101 : status)
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
    const workspace_id = await createTestWorkspace(ann.session)
    const { key: token } = await createTestKey(ann.session, { workspace_id })
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

describe('a web page', () => {
  test('of another origin opens sockets without cookies, but with keys', async () => {
    await patchWorkspace(ann, { visibility: 'private' })
    const pass = { cookie: ann.cookie, origin: 'https://evil.example' }
    expect(await statusFor(service.url, channel_id, pass)).toBe(401)
    expect(await statusFor(service.url, channel_id, { ...pass, token: ann.api_key })).toBe(101)
  })

  test('of the own origin opens sockets with cookies', async () => {
    const pass = { cookie: ann.cookie, origin: service.url }
    expect(await statusFor(service.url, channel_id, pass)).toBe(101)
  })
})
