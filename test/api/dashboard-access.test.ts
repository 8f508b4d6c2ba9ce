// Every dashboard route needs a session, and one with an id in its path needs the owner.
import { describe, expect, test } from 'vitest'
import { createAccount } from '../support/account.ts'
import { createChannel } from '../support/channels.ts'
import { denied, notFound, unauthorized } from '../support/errors.ts'
import { fillPath, mountedRoutes } from '../support/mounted-routes.ts'
import { runWithOwner } from '../support/running.ts'
import { callTo } from '../support/service.ts'

const { service, ann } = await runWithOwner()
const bob = await createAccount(service)
const some = crypto.randomUUID()
const others = {
  cardId: some,
  key: 'k',
  actionId: some,
  interactionId: some,
  deliveryId: some,
  decisionId: some,
  inviteId: some,
  keyId: some,
  userId: some,
}
const ids = { ...others, id: ann.workspace_id, channelId: await createChannel(ann) }

/** Routes of viewers, and of people who sign up or in. */
const OPEN = [
  'POST /api/auth/sign-up/email',
  'POST /api/auth/sign-in/email',
  'GET /api/auth/methods',
  'POST /api/auth/reset-password',
  'POST /api/channel-unlock',
  'POST /api/invites/preview',
  'GET /api/workspaces/by-slug/:slug',
  'GET /api/channels/:channelId/view',
  'GET /api/channels/:channelId/pages/:page',
  'GET /api/channels/:channelId/first-cards',
  'GET /api/channels/:channelId/document',
  'GET /api/channels/:channelId/waiting',
  'GET /api/channels/:channelId/looks',
  'POST /api/channels/:channelId/interactions',
  'GET /api/channels/:channelId/interactions/:interactionId/delivery',
]
const closed = mountedRoutes(service).filter(
  ({ method, path }) => !path.startsWith('/api/v1/') && !OPEN.includes(`${method} ${path}`),
)

describe.each(closed)('$method $path', ({ method, path }) => {
  /** An invalid body: if another error is returned, it was checked first. */
  const send = (headers: Record<string, string>, values: Record<string, string> = ids) =>
    callTo(service.url, headers)(method, fillPath(path, values), method === 'GET' ? undefined : '{')

  test.each([
    ['without a session', {}],
    ['with a key', { Authorization: `Bearer ${ann.api_key}` }],
    ['with a forged session', { Cookie: `${ann.cookie.slice(0, -2)}xx` }],
  ])('the route returns 401 for %s', async (_, headers: Record<string, string>) => {
    expect(await send(headers)).toMatchObject(unauthorized)
  })

  const [, thing = ''] = /^\/api\/(channel|workspace)s\/:/.exec(path) ?? []
  if (thing === '') return

  test('the route returns 403 for other users, and 404 for unknown ids', async () => {
    expect(await send({ Cookie: bob.cookie })).toMatchObject(denied)
    const missing = notFound(thing === 'channel' ? 'Channel' : 'Workspace')
    for (const id of ['x', '1', crypto.randomUUID()])
      expect(await send({ Cookie: ann.cookie }, { ...ids, id, channelId: id })).toMatchObject(missing)
  })
})

test.each([
  'POST /workspaces',
  'GET /workspaces/:id',
  'PATCH /workspaces/:id',
  'DELETE /workspaces/:id',
  'GET /workspaces/:id/attribute-settings',
  'GET /workspaces/:id/slug-check',
  'GET /usage',
  'GET /usage/history',
  'PUT /channels/:channelId/actions/order',
  'PUT /channels/:channelId/actions/:actionId',
  'PATCH /channels/:channelId/actions/:actionId',
  'DELETE /channels/:channelId/actions/:actionId',
])('%s is not offered to automations', async route => {
  const [method = '', path = ''] = route.split(' ')
  expect(await ann.key(method, fillPath(path, ids), method === 'GET' ? undefined : {})).toMatchObject(
    notFound(),
  )
})
