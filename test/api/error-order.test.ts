// The order of errors: 401; the path's channel 404, 403; its card 404; scope 403; body 413, 400; ids in the body 404, 403.
import { describe, expect, test } from 'vitest'
import {
  type Account,
  createAccount,
  createTestKey,
  createTestWorkspace,
  withKey,
} from '../support/account.ts'
import { createTestChannel, textCard } from '../support/cards.ts'
import { denied, failed, invalid, notFound, unauthorized } from '../support/errors.ts'
import { CARD_ROUTES, CHANNEL_ROUTES, nameOf, type Route } from '../support/routes.ts'
import { runWithOwner } from '../support/running.ts'
import { type Call, callTo } from '../support/service.ts'

const UNKNOWN_ID = '0c9b6f1e-3a52-4d0e-9d7a-6f3e8b1c2d4a'
const TOO_LARGE = `{"x":"${'x'.repeat(300_000)}"}`

const { service, ann } = await runWithOwner()
const mine = await createChannelWithCard(ann)
const foreign = await createChannelWithCard(await createAccount(service))
const keyCall = async (fields: object) => withKey(service.url, (await createTestKey(ann.session, fields)).key)
const callers: Record<'read' | 'write' | 'full' | 'elsewhere', Call> = {
  read: await keyCall({ scope: 'read' }),
  write: await keyCall({ scope: 'write' }),
  full: ann.key,
  elsewhere: await keyCall({ workspace_id: await createTestWorkspace(ann.session) }),
}

async function createChannelWithCard(account: Account) {
  const cards = await createTestChannel(account)
  const { body } = await account.key<{ id: string }>('PUT', `${cards}/by-key/k`, textCard())
  return { channel: cards.split('/')[2] ?? '', card: body.id }
}

const noChannel = notFound('Channel')
const noCard = notFound('Card')
/** Sends a body that is too large, which must be checked after what the test expects. */
const send = (call: Call, route: Route, ids: typeof mine) =>
  call(route.method, route.path(ids), route.body ? TOO_LARGE : undefined)

describe.each(CHANNEL_ROUTES.map(route => [nameOf(route), route] as const))('%s', (_, route) => {
  test('the request returns 401 without a key, even for an unknown channel', async () => {
    const anyone = callTo(`${service.url}/api/v1`)
    for (const ids of [mine, { channel: UNKNOWN_ID, card: 'x' }])
      expect(await send(anyone, route, ids)).toMatchObject(unauthorized)
  })

  test.each(['Bearer', 'Bearer x', `Bearer cf_${'a'.repeat(43)}`, 'Basic YTpi', ''])(
    'the request returns 401 with Authorization %j, even with a session',
    async Authorization => {
      const call = callTo(`${service.url}/api/v1`, { Authorization, Cookie: ann.cookie })
      expect(await send(call, route, mine)).toMatchObject(unauthorized)
    },
  )

  test('the request returns 401 for a session in /api/v1, and for a key in /api', async () => {
    const inV1 = callTo(`${service.url}/api/v1`, { Cookie: ann.cookie })
    const outside = callTo(`${service.url}/api`, { Authorization: `Bearer ${ann.api_key}` })
    expect(await send(inV1, route, mine)).toMatchObject(unauthorized)
    expect(await send(outside, route, mine)).toMatchObject(unauthorized)
  })

  test.each(['x', '1', UNKNOWN_ID.slice(1), `${UNKNOWN_ID}x`, UNKNOWN_ID])(
    'the request returns 404 for the unknown channel %s, before scope and body are checked',
    async channel => {
      for (const call of [callers.read, callers.full, ann.session])
        expect(await send(call, route, { ...mine, channel })).toMatchObject(noChannel)
    },
  )

  test("the request returns 403 for another user's channel", async () => {
    for (const call of [callers.read, callers.full, ann.session])
      expect(await send(call, route, foreign)).toMatchObject(denied)
  })

  test('the request returns 403 for a key for another workspace', async () => {
    expect(await send(callers.elsewhere, route, mine)).toMatchObject(denied)
  })

  if (route.need !== 'read') {
    test('the request returns 403 for a narrower scope, before the body is checked', async () => {
      expect(await send(callers.read, route, mine)).toMatchObject(denied)
      if (route.need === 'full') expect(await send(callers.write, route, mine)).toMatchObject(denied)
    })
  }

  const { body, invalidBody } = route
  if (body) {
    test('the request is checked for size, then content type, then JSON, then fields', async () => {
      const plain = { 'Content-Type': 'text/plain' }
      for (const call of [callers.full, ann.session]) {
        const path = route.path(mine)
        expect(await call(route.method, path, TOO_LARGE, plain)).toMatchObject(
          failed(413, 'Request body too large'),
        )
        expect(await call(route.method, path, '{', plain)).toMatchObject(
          invalid('Content-Type must be application/json'),
        )
        expect(await call(route.method, path, '{')).toMatchObject(invalid('Invalid JSON'))
        expect((await call(route.method, path, invalidBody)).status).toBe(400)
      }
    })
  }
})

describe.each(CARD_ROUTES.map(route => [nameOf(route), route] as const))('%s (card)', (_, route) => {
  test('the request for a card returns 404 for an unknown card, before scope and body are checked', async () => {
    const isByKey = route.path(mine).endsWith('/k')
    const paths = isByKey
      ? [`${route.path(mine)}-unknown`]
      : ['x', '0', foreign.card, UNKNOWN_ID].map(card => route.path({ ...mine, card }))
    for (const path of paths)
      for (const call of [callers.read, callers.full, ann.session])
        expect(await call(route.method, path, route.body ? TOO_LARGE : undefined)).toMatchObject(noCard)
  })
})

describe('channels of a workspace', () => {
  const list = (call: Call, id: string) => call('GET', `/channels?workspace_id=${id}`)
  const create = (call: Call, workspace_id: unknown, more: object = {}) =>
    call('POST', '/channels', { name: 'C', workspace_id, ...more })

  test("GET returns 404 for an unknown workspace, 403 for another user's, and 400 without workspace_id", async () => {
    const bob = await createAccount(service)
    for (const call of [callers.read, ann.session]) {
      expect((await list(call, ann.workspace_id)).status).toBe(200)
      expect(await list(call, UNKNOWN_ID)).toMatchObject(notFound('Workspace'))
      expect(await list(call, 'x')).toMatchObject(notFound('Workspace'))
      expect(await list(call, bob.workspace_id)).toMatchObject(denied)
      for (const path of ['/channels', '/channels?workspace_id='])
        expect(await call('GET', path)).toMatchObject(invalid('workspace_id is required'))
    }
    expect(await list(callers.elsewhere, ann.workspace_id)).toMatchObject(denied)
  })

  test('POST needs the scope `full`: checks the scope, then the body, then workspace_id', async () => {
    expect(await callers.read('POST', '/channels', '{')).toMatchObject(denied)
    expect(await callers.write('POST', '/channels', '{')).toMatchObject(denied)
    const bob = await createAccount(service)
    expect(await create(ann.key, bob.workspace_id, { name: '' })).toMatchObject(invalid('name is required'))
    expect(await create(ann.key, bob.workspace_id)).toMatchObject(denied)
    expect(await create(callers.elsewhere, ann.workspace_id)).toMatchObject(denied)
    for (const id of ['x', UNKNOWN_ID]) expect(await create(ann.key, id)).toMatchObject(notFound('Workspace'))
  })
})
