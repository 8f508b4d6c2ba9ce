// Access of every kind of viewer to every visibility, over every route; and which web pages may open sockets.
import { beforeAll, describe, expect, test } from 'vitest'
import { VISIBILITIES } from '../../shared/channel.ts'
import { createAccount, createTestKey, createTestWorkspace, unlock } from '../support/account.ts'
import { createChannel, patchWorkspace } from '../support/channels.ts'
import { denied, notFound, unauthorized } from '../support/errors.ts'
import { livePath, openPage } from '../support/open-page.ts'
import { statusFor } from '../support/pass.ts'
import { sendUpgrade } from '../support/raw.ts'
import { runWithOwner } from '../support/running.ts'
import { PASSWORD } from '../support/scene.ts'
import { callTo } from '../support/service.ts'
import { upgradeStatus } from '../support/viewer.ts'

let unlock_cookie: string

const { service, ann } = await runWithOwner()
const bob = await createAccount(service)
const channel_id = await createChannel(ann, { mode: 'interactive' })
const slug = `s-${crypto.randomUUID().slice(0, 20)}`
await patchWorkspace(ann, { custom_slug: slug, password: PASSWORD })

const path = `/channels/${channel_id}`
const reply = { trigger: { type: 'reply', text: 'Hello' } }
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

/** The error that the upgrade returns. */
async function upgradeError(at: string, headers: Record<string, string>) {
  const { status, body } = await sendUpgrade(service.url, at, headers)
  const parsed: unknown = JSON.parse(body)
  return { status, body: parsed }
}

describe.each(VISIBILITIES)('a %s workspace', visibility => {
  beforeAll(async () => {
    await patchWorkspace(ann, { visibility: 'protected' })
    unlock_cookie = await unlock(service, { workspace_id: ann.workspace_id, password: PASSWORD })
    await patchWorkspace(ann, { visibility })
  })

  test.each(table)(
    `a viewer who is %s gets the right access to a ${visibility} workspace`,
    async (_, headersOf, row) => {
      const headers = headersOf()
      const { status = 0, body = {} } = row[VISIBILITIES.indexOf(visibility)] ?? {}
      const maySee = status === 200
      const call = callTo(`${service.url}/api`, headers)
      expect(await call('GET', `${path}/view`)).toMatchObject({ status, body })
      const page = await call('GET', `/workspaces/by-slug/${slug}`)
      expect(page).toMatchObject({ status, body })
      expect(await call('GET', `${path}/pages/0`)).toMatchObject({
        status,
        body: maySee ? { page: 0, cards: [] } : body,
      })
      for (const look of ['first-cards', 'document', 'waiting', 'looks']) {
        const response = await fetch(`${service.url}/api${path}/${look}`, { headers })
        expect(response.status).toBe(status)
      }
      const sent = await call('POST', `${path}/interactions`, reply)
      expect(sent).toMatchObject(maySee ? { status: 201 } : { status, body })
      if (maySee) {
        expect(await upgradeStatus(service.url, `/sync/${channel_id}`, headers)).toBe(101)
        for (const name of [slug, ann.slug])
          expect((await openPage(service.url, name, headers.Cookie)).shows()).toEqual(page.body)
      } else {
        for (const socket of [`/sync/${channel_id}`, livePath(slug)])
          expect(await upgradeError(socket, headers)).toEqual({ status, body })
      }
    },
  )
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

  test('everything else that viewers use ignores keys: only cookies count', async () => {
    await patchWorkspace(ann, { visibility: 'private' })
    const headers = { Authorization: `Bearer ${ann.api_key}` }
    const call = callTo(`${service.url}/api`, headers)
    expect(await call('GET', `${path}/view`)).toMatchObject(unauthorized)
    expect(await call('GET', `${path}/pages/0`)).toMatchObject(unauthorized)
    // Access is checked before the body.
    expect(await call('POST', `${path}/interactions`, { trigger: 1 })).toMatchObject(unauthorized)
    expect(await upgradeStatus(service.url, livePath(slug), headers)).toBe(401)
    expect(await upgradeStatus(service.url, `${livePath(slug)}?token=${ann.api_key}`)).toBe(401)
  })
})

describe('unknown names', () => {
  const headers = { Cookie: ann.cookie }

  test('unknown channels, slugs and pages return 404', async () => {
    for (const id of ['x', crypto.randomUUID()]) {
      for (const asked of ['view', 'pages/0', 'first-cards', 'document', 'waiting', 'looks'])
        expect(await ann.session('GET', `/channels/${id}/${asked}`)).toMatchObject(notFound('Channel'))
      expect(await statusFor(service.url, id, { cookie: ann.cookie })).toBe(404)
    }
    const names = ['no-such-slug', 'TEAM', ann.workspace_id, '%00', 'a%2Fb', '%F0%9F%98%80', '%ED%A0%80', '%']
    for (const name of names) {
      const missing = notFound('Workspace')
      expect(await ann.session('GET', `/workspaces/by-slug/${name}`), name).toMatchObject(missing)
      expect(await upgradeError(livePath(name), headers), name).toEqual(missing)
    }
    for (const page of ['1', '-1', 'x', '1.5', '99999999999', '%00'])
      expect((await ann.session('GET', `${path}/pages/${page}`)).status, page).toBe(404)
  })

  test('unknown paths of sockets return 404; ids may be in upper case', async () => {
    for (const at of ['/sync/', '/elsewhere', '/live/workspaces/', '/live', `/live/channels/${slug}`])
      expect(await upgradeError(at, headers), at).toEqual(notFound())
    expect(await upgradeStatus(service.url, `/sync/${channel_id.toUpperCase()}`, headers)).toBe(101)
  })
})

describe('responses to viewers', () => {
  test('the view of a channel has its head and nothing only for the owner', async () => {
    await patchWorkspace(ann, { visibility: 'public' })
    await ann.key('PATCH', path, { webhook_url: 'https://secret.example' })
    const { body: action } = await ann.key('POST', `${path}/actions`, { label: 'Go' })
    const { channel_id: _, ...shown } = action
    const view = await callTo(`${service.url}/api`)('GET', `${path}/view`)
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
      workspace: { name: expect.any(String), icon: expect.any(String), slug: expect.any(String) },
      role: null,
      can_edit: false,
      can_act: true,
      may_decide: [],
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
    const { user_id: _, created_at: __, role: ___, ...head } = own
    const page = await callTo(`${service.url}/api`)('GET', `/workspaces/by-slug/${head.slug}`)
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
          last_card: null,
          waiting: 0,
          attributes: { env: 'prod', '1': 'x' },
        },
        {
          id: second,
          name: 'Second',
          description: 'D',
          icon: '🚀',
          mode: 'view',
          card_count: 1,
          last_card: { id: expect.any(String), status: 'default', text: '', created_at: expect.any(String) },
          waiting: 0,
          attributes: {},
        },
      ],
      attribute_settings: [
        { key: '1', use_as_filter: false, show_in_sidebar: false },
        { key: 'env', use_as_filter: true, show_in_sidebar: false },
      ],
      role: null,
      can_edit: false,
      can_act: true,
    })
    expect(Object.keys(head)).toEqual(
      'id name slug custom_slug icon visibility layout show_search'.split(' '),
    )
  })
})

describe('a web page', () => {
  const statusesFrom = async (Origin: string) => {
    const headers = { Cookie: ann.cookie, Origin }
    await patchWorkspace(ann, { visibility: 'private' })
    return Promise.all(
      [`/sync/${channel_id}`, livePath(slug), `/sync/${channel_id}?token=${ann.api_key}`].map(at =>
        upgradeStatus(service.url, at, headers),
      ),
    )
  }

  test.each(['https://evil.example', 'null'])(
    'a web page of another origin (%s) opens sockets with keys, but not with cookies',
    async origin => {
      expect(await statusesFrom(origin)).toEqual([401, 401, 101])
    },
  )

  test('a web page of the own origin opens sockets with cookies', async () => {
    expect(await statusesFrom(service.url)).toEqual([101, 101, 101])
  })
})
