// Which refusal comes first: 401; the ids in the path 404, 403; the key's scope 403; the body 413, 400.
import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  type Account,
  createAccount,
  createTestKey,
  createTestWorkspace,
  withKey,
} from '../support/account.ts'
import { createTestCards, textCard } from '../support/cards.ts'
import { CARD_ROUTES, CHANNEL_ROUTES, nameOf, type Route } from '../support/routes.ts'
import { type Call, caller, startTestService, type TestService } from '../support/service.ts'

const TOO_LARGE = `{"x":"${'x'.repeat(300_000)}"}`

let service: TestService
let ann: Account
let mine: { channel: string; card: string }
let foreign: { channel: string; card: string }
let keys: Record<'read' | 'write' | 'full' | 'elsewhere', Call>

beforeAll(async () => {
  service = await startTestService()
  ann = await createAccount(service)
  mine = await build(ann)
  foreign = await build(await createAccount(service))
  const key = async (fields: object) => withKey(service.url, (await createTestKey(ann.session, fields)).key)
  keys = {
    read: await key({ scope: 'read' }),
    write: await key({ scope: 'write' }),
    full: ann.key,
    elsewhere: await key({ workspace_id: await createTestWorkspace(ann.session) }),
  }
})
afterAll(() => service.stop())

async function build(account: Account) {
  const cards = await createTestCards(account)
  const { body } = await account.key<{ id: string }>('PUT', `${cards}/by-key/k`, textCard())
  return { channel: cards.split('/')[2] ?? '', card: body.id }
}

const denied = { status: 403, body: { error: 'Access denied' } }
const noChannel = { status: 404, body: { error: 'Channel not found' } }
const noCard = { status: 404, body: { error: 'Card not found' } }
const unauthorized = { status: 401, body: { error: 'Unauthorized' } }
/** A body that is refused for all it can be: if any other refusal comes, it came first. */
const send = (call: Call, route: Route, ids: typeof mine) =>
  call(route.method, route.path(ids), route.body ? TOO_LARGE : undefined)

describe.each(CHANNEL_ROUTES.map(route => [nameOf(route), route] as const))('%s', (_, route) => {
  test('without a key is 401, also for a channel that is none', async () => {
    const anyone = caller(`${service.url}/api/v1`)
    for (const ids of [mine, { channel: randomUUID(), card: 'x' }])
      expect(await send(anyone, route, ids)).toMatchObject(unauthorized)
  })

  test.each(['Bearer', 'Bearer x', `Bearer cf_${'a'.repeat(43)}`, 'Basic YTpi', ''])(
    'with Authorization %j is 401',
    async Authorization => {
      expect(await send(caller(`${service.url}/api/v1`, { Authorization }), route, mine)).toMatchObject(
        unauthorized,
      )
    },
  )

  test('with a session alone is 401 in v1, and with a key alone 401 outside', async () => {
    const inV1 = caller(`${service.url}/api/v1`, { Cookie: ann.cookie })
    const outside = caller(`${service.url}/api`, { Authorization: `Bearer ${ann.api_key}` })
    expect(await send(inV1, route, mine)).toMatchObject(unauthorized)
    expect(await send(outside, route, mine)).toMatchObject(unauthorized)
  })

  test.each(['x', '1', randomUUID().slice(1), `${randomUUID()}x`, randomUUID()])(
    'of channel %s, which is none, is 404, before scope and body',
    async channel => {
      for (const call of [keys.read, keys.full, ann.session])
        expect(await send(call, route, { ...mine, channel })).toMatchObject(noChannel)
    },
  )

  test('of another user’s channel is 403', async () => {
    for (const call of [keys.read, keys.full, ann.session])
      expect(await send(call, route, foreign)).toMatchObject(denied)
  })

  test('with a key that is confined to another workspace is 403', async () => {
    expect(await send(keys.elsewhere, route, mine)).toMatchObject(denied)
  })

  if (route.need !== 'read') {
    test('with a key of a narrower scope is 403, before the body is looked at', async () => {
      expect(await send(keys.read, route, mine)).toMatchObject(denied)
      if (route.need === 'full') expect(await send(keys.write, route, mine)).toMatchObject(denied)
    })
  }

  const { body, refused } = route
  if (body) {
    test('is 413 before its content type, that before JSON, and that before the fields', async () => {
      const plain = { 'Content-Type': 'text/plain' }
      for (const call of [keys.full, ann.session]) {
        const path = route.path(mine)
        expect(await call(route.method, path, TOO_LARGE, plain)).toMatchObject({
          status: 413,
          body: { error: 'Request body too large' },
        })
        expect(await call(route.method, path, '{', plain)).toMatchObject({
          status: 400,
          body: { error: 'Content-Type must be application/json' },
        })
        expect(await call(route.method, path, '{')).toMatchObject({
          status: 400,
          body: { error: 'Invalid JSON' },
        })
        expect((await call(route.method, path, refused)).status).toBe(400)
      }
    })
  }
})

describe.each(CARD_ROUTES.map(route => [nameOf(route), route] as const))('%s', (_, route) => {
  test('of an unknown card is 404, before scope and body', async () => {
    const path = route.path(mine).replace(/k$/, 'unknown')
    const byKey = path.endsWith('unknown')
    for (const card of byKey ? [''] : ['x', '0', foreign.card, randomUUID()]) {
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

  test('are listed for who owns it: 404 for none, 403 for another’s', async () => {
    const bob = await createAccount(service)
    for (const call of [keys.read, ann.session]) {
      expect((await list(call, ann.workspace_id)).status).toBe(200)
      expect(await list(call, randomUUID())).toMatchObject({
        status: 404,
        body: { error: 'Workspace not found' },
      })
      expect(await list(call, 'x')).toMatchObject({ status: 404, body: { error: 'Workspace not found' } })
      expect(await list(call, bob.workspace_id)).toMatchObject(denied)
      for (const path of ['/channels', '/channels?workspace_id='])
        expect(await call('GET', path)).toMatchObject({
          status: 400,
          body: { error: 'workspace_id is required' },
        })
    }
    expect(await list(keys.elsewhere, ann.workspace_id)).toMatchObject(denied)
  })

  test('are made with a full key: scope, then the body, then its ids', async () => {
    expect(await keys.read('POST', '/channels', '{')).toMatchObject(denied)
    expect(await keys.write('POST', '/channels', '{')).toMatchObject(denied)
    const bob = await createAccount(service)
    expect(await create(ann.key, bob.workspace_id, { name: '' })).toMatchObject({
      status: 400,
      body: { error: 'name is required' },
    })
    expect(await create(ann.key, bob.workspace_id)).toMatchObject(denied)
    expect(await create(keys.elsewhere, ann.workspace_id)).toMatchObject(denied)
    for (const id of ['x', randomUUID()])
      expect(await create(ann.key, id)).toMatchObject({ status: 404, body: { error: 'Workspace not found' } })
  })
})
