// Unknown paths, methods and ids return 404 with a JSON body.
import { describe, expect, test } from 'vitest'
import { createTestChannel, pushCard } from '../support/cards.ts'
import { notFound } from '../support/errors.ts'
import { runWithOwner } from '../support/running.ts'
import { callTo } from '../support/service.ts'

const { service, ann } = await runWithOwner()
const cards = await createTestChannel(ann)

const none = notFound()

test.each(
  '/api /api/ /api/x /api/v1 /api/v1/ /api/v1/x /api/v2/channels /api/v1/channels/x/y /api/auth /api/auth/sign-up /api/%00 /api/%ff /api/% /api//v1/channels'.split(
    ' ',
  ),
)('%s returns 404 for everyone and any method', async path => {
  const anyone = callTo(service.url)
  for (const method of ['GET', 'POST', 'PUT', 'PATCH', 'DELETE']) {
    const response = await anyone(method, path, method === 'GET' ? undefined : {})
    expect(response).toMatchObject(none)
    expect(response.headers.get('Content-Type')).toMatch(/^application\/json/)
  }
})

test.each([
  ['PUT', '/channels'],
  ['DELETE', '/channels'],
  ['POST', '/channels/:id'],
  ['PUT', '/channels/:id'],
  ['PUT', '/channels/:id/cards'],
  ['PATCH', '/channels/:id/cards'],
  ['DELETE', '/channels/:id/cards'],
  ['POST', '/channels/:id/cards/:card'],
  ['PUT', '/channels/:id/cards/:card'],
  ['POST', '/channels/:id/cards/by-key/k'],
  ['GET', '/channels/:id/cards/by-key/k/more'],
])('%s %s returns 404', async (method, path) => {
  const card = await pushCard(ann.key, cards)
  const [, , channel = '', , id = ''] = card.split('/')
  const at = path.replace(':id', channel).replace(':card', id)
  for (const call of [ann.key, ann.session])
    expect(await call(method, at, method === 'GET' ? undefined : {})).toMatchObject(none)
})

test('HEAD returns the headers of GET', async () => {
  const headers = { Authorization: `Bearer ${ann.api_key}` }
  const head = await fetch(`${service.url}/api/v1${cards}`, { method: 'HEAD', headers })
  expect(head.status).toBe(200)
  expect(await head.text()).toBe('')
  const missing = await fetch(`${service.url}/api/v1${cards}`, { method: 'HEAD' })
  expect(missing.status).toBe(401)
})

describe.each([
  'x',
  '%00',
  '%ff',
  '%',
  '%2F',
  "'; drop table cards; --",
  '🚀',
  'null',
  '0'.repeat(36),
  '00000000-0000-4000-8000-00000000000g',
  '{00000000-0000-4000-8000-000000000000}',
  'x'.repeat(5_000),
])('the id %s', id => {
  test('a malformed id returns 404 for channels, cards and workspaces', async () => {
    for (const call of [ann.key, ann.session]) {
      expect(await call('GET', `/channels/${id}`)).toMatchObject(notFound('Channel'))
      expect(await call('GET', `${cards}/${id}`)).toMatchObject(notFound('Card'))
      expect(await call('DELETE', `${cards}/${id}`)).toMatchObject(notFound('Card'))
    }
    const noWorkspace = notFound('Workspace')
    expect(await ann.session('GET', `/workspaces/${id}`)).toMatchObject(noWorkspace)
    expect(await ann.session('GET', `/workspaces/by-slug/${id}`)).toMatchObject(noWorkspace)
    expect(await ann.session('GET', `/channels?workspace_id=${encodeURIComponent(id)}`)).toMatchObject(
      noWorkspace,
    )
    expect(await ann.session('DELETE', `/api-keys/${id}`)).toMatchObject(notFound('API key'))
  })
})
