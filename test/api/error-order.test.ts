// The order of errors: 401; the ids in the path 404, 403; the key's scope 403; the body 413, 400.
import { describe, expect, test } from 'vitest'
import {
  type Account,
  createAccount,
  createTestKey,
  createTestWorkspace,
  withKey,
} from '../support/account.ts'
import { createTestCards, textCard } from '../support/cards.ts'
import { denied, failed, invalid, notFound, unauthorized } from '../support/errors.ts'
import { CARD_ROUTES, CHANNEL_ROUTES, nameOf, type Route } from '../support/routes.ts'
import { runWithOwner } from '../support/running.ts'
import { type Call, caller } from '../support/service.ts'

const TOO_LARGE = `{"x":"${'x'.repeat(300_000)}"}`

const { service, ann } = await runWithOwner()
const mine = await build(ann)
const foreign = await build(await createAccount(service))
const key = async (fields: object) => withKey(service.url, (await createTestKey(ann.session, fields)).key)
const keys: Record<'read' | 'write' | 'full' | 'elsewhere', Call> = {
  read: await key({ scope: 'read' }),
  write: await key({ scope: 'write' }),
  full: ann.key,
  elsewhere: await key({ workspace_id: await createTestWorkspace(ann.session) }),
}

async function build(account: Account) {
  const cards = await createTestCards(account)
  const { body } = await account.key<{ id: string }>('PUT', `${cards}/by-key/k`, textCard())
  return { channel: cards.split('/')[2] ?? '', card: body.id }
}

const noChannel = notFound('Channel')
const noCard = notFound('Card')
/** An invalid body: if another error is returned, it was checked first. */
const send = (call: Call, route: Route, ids: typeof mine) =>
  call(route.method, route.path(ids), route.body ? TOO_LARGE : undefined)

describe.each(CHANNEL_ROUTES.map(route => [nameOf(route), route] as const))('%s', (_, route) => {
  test('returns 401 without a key, even for an unknown channel', async () => {
    const anyone = caller(`${service.url}/api/v1`)
    for (const ids of [mine, { channel: crypto.randomUUID(), card: 'x' }])
      expect(await send(anyone, route, ids)).toMatchObject(unauthorized)
  })

  test.each(['Bearer', 'Bearer x', `Bearer cf_${'a'.repeat(43)}`, 'Basic YTpi', ''])(
    'returns 401 with Authorization %j, even with a session',
    async Authorization => {
      const call = caller(`${service.url}/api/v1`, { Authorization, Cookie: ann.cookie })
      expect(await send(call, route, mine)).toMatchObject(unauthorized)
    },
  )

  test('returns 401 for a session in /api/v1, and for a key in /api', async () => {
    const inV1 = caller(`${service.url}/api/v1`, { Cookie: ann.cookie })
    const outside = caller(`${service.url}/api`, { Authorization: `Bearer ${ann.api_key}` })
    expect(await send(inV1, route, mine)).toMatchObject(unauthorized)
    expect(await send(outside, route, mine)).toMatchObject(unauthorized)
  })

  test.each(['x', '1', crypto.randomUUID().slice(1), `${crypto.randomUUID()}x`, crypto.randomUUID()])(
    'returns 404 for the unknown channel %s, before scope and body are checked',
    async channel => {
      for (const call of [keys.read, keys.full, ann.session])
        expect(await send(call, route, { ...mine, channel })).toMatchObject(noChannel)
    },
  )

  test("returns 403 for another user's channel", async () => {
    for (const call of [keys.read, keys.full, ann.session])
      expect(await send(call, route, foreign)).toMatchObject(denied)
  })

  test('returns 403 for a key confined to another workspace', async () => {
    expect(await send(keys.elsewhere, route, mine)).toMatchObject(denied)
  })

  if (route.need !== 'read') {
    test('returns 403 for a narrower scope, before the body is checked', async () => {
      expect(await send(keys.read, route, mine)).toMatchObject(denied)
      if (route.need === 'full') expect(await send(keys.write, route, mine)).toMatchObject(denied)
    })
  }

  const { body, rejected } = route
  if (body) {
    test('checks size, then content type, then JSON, then fields', async () => {
      const plain = { 'Content-Type': 'text/plain' }
      for (const call of [keys.full, ann.session]) {
        const path = route.path(mine)
        expect(await call(route.method, path, TOO_LARGE, plain)).toMatchObject(
          failed(413, 'Request body too large'),
        )
        expect(await call(route.method, path, '{', plain)).toMatchObject(
          invalid('Content-Type must be application/json'),
        )
        expect(await call(route.method, path, '{')).toMatchObject(invalid('Invalid JSON'))
        expect((await call(route.method, path, rejected)).status).toBe(400)
      }
    })
  }
})

describe.each(CARD_ROUTES.map(route => [nameOf(route), route] as const))('%s', (_, route) => {
  test('returns 404 for an unknown card, before scope and body', async () => {
    const path = route.path(mine).replace(/k$/, 'unknown')
    const byKey = path.endsWith('unknown')
    for (const card of byKey ? [''] : ['x', '0', foreign.card, crypto.randomUUID()]) {
      const at = byKey ? path : route.path({ ...mine, card })
      for (const call of [keys.read, keys.full, ann.session])
        expect(await call(route.method, at, route.body ? TOO_LARGE : undefined)).toMatchObject(noCard)
    }
  })
})

describe('channels of a workspace', () => {
  const list = (call: Call, id: string) => call('GET', `/channels?workspace_id=${id}`)
  const create = (call: Call, workspace_id: unknown, more: object = {}) =>
    call('POST', '/channels', { name: 'C', workspace_id, ...more })

  test("the list needs the owner: 404 for an unknown workspace, 403 for another's", async () => {
    const bob = await createAccount(service)
    for (const call of [keys.read, ann.session]) {
      expect((await list(call, ann.workspace_id)).status).toBe(200)
      expect(await list(call, crypto.randomUUID())).toMatchObject(notFound('Workspace'))
      expect(await list(call, 'x')).toMatchObject(notFound('Workspace'))
      expect(await list(call, bob.workspace_id)).toMatchObject(denied)
      for (const path of ['/channels', '/channels?workspace_id='])
        expect(await call('GET', path)).toMatchObject(invalid('workspace_id is required'))
    }
    expect(await list(keys.elsewhere, ann.workspace_id)).toMatchObject(denied)
  })

  test('creating needs a full key: checks the scope, then the body, then its ids', async () => {
    expect(await keys.read('POST', '/channels', '{')).toMatchObject(denied)
    expect(await keys.write('POST', '/channels', '{')).toMatchObject(denied)
    const bob = await createAccount(service)
    expect(await create(ann.key, bob.workspace_id, { name: '' })).toMatchObject(invalid('name is required'))
    expect(await create(ann.key, bob.workspace_id)).toMatchObject(denied)
    expect(await create(keys.elsewhere, ann.workspace_id)).toMatchObject(denied)
    for (const id of ['x', crypto.randomUUID()])
      expect(await create(ann.key, id)).toMatchObject(notFound('Workspace'))
  })
})
