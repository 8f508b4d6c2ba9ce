// API responses may be private: every route forbids caching them, unless they are public.
import { expect, test } from 'vitest'
import { runService } from '../support/running.ts'
import { buildScene, type LoggedInteraction } from '../support/scene.ts'
import { until } from '../support/viewer.ts'

/** Public, or revalidated by the reader each time. */
const OTHERWISE: Record<string, string> = {
  '/api/v1/openapi.json': 'no-cache',
  '/api/v1/docs': 'no-cache',
  '/api/v1/docs/:file': 'public, max-age=3600',
  '/api/channels/:channelId/pages/:page': 'private, no-cache',
}

type Delivery = { id: string }
type Log = { interactions: (LoggedInteraction & { deliveries: Delivery[] })[] }

const service = await runService()
const scene = await buildScene(service, { webhook_url: 'http://127.0.0.1:1/' })
const { key, session, workspace_id } = scene.account
const { body: interaction } = await scene.click()
await key('PUT', `/channels/${scene.channel_id}/cards/by-key/k`, { blocks: [{ type: 'divider' }] })
const { body: workspace } = await session<{ slug: string }>('GET', `/workspaces/${workspace_id}`)
let deliveryId: string | undefined
await until(async () => {
  const { body } = await session<Log>('GET', `/channels/${scene.channel_id}/interactions`)
  deliveryId = body.interactions[0]?.deliveries[0]?.id
  return deliveryId !== undefined
}, 'a delivery')
const parameters: Record<string, string> = {
  channelId: scene.channel_id,
  cardId: scene.card_id,
  key: 'k',
  interactionId: interaction.interaction_id,
  deliveryId: deliveryId ?? '',
  page: '0',
  file: 'swagger-ui.css',
  id: workspace_id,
  slug: workspace.slug,
}

/** The mounted routes of the API, each once. */
const mounted = (method?: string) => {
  const routes = service.routes.filter(
    route =>
      route.method !== 'ALL' && /^\/api(\/|$)/.test(route.path) && (!method || route.method === method),
  )
  return [...new Map(routes.map(route => [`${route.method} ${route.path}`, route])).values()]
}

function addressOf(path: string): string {
  const needsWorkspace = path === '/api/channels' || path === '/api/v1/channels'
  const query = needsWorkspace ? `?workspace_id=${parameters.id}` : '?slug=free-slug'
  const filled = path.replace(/:(\w+)/g, (_, name: string) => {
    const value = parameters[name]
    if (value === undefined) throw new Error(`This test needs a value for :${name} of ${path}`)
    return value
  })
  return service.url + filled + query
}

test('every GET route forbids caching, unless its response is public or has an ETag', async () => {
  const routes = mounted('GET')
  expect(routes.length).toBeGreaterThan(30)
  const said = new Map<string, string | null>()
  for (const { path } of routes) {
    const headers = {
      Cookie: scene.account.cookie,
      ...(path.startsWith('/api/v1/') && { Authorization: `Bearer ${scene.account.api_key}` }),
    }
    const response = await fetch(addressOf(path), { headers })
    await response.body?.cancel()
    expect([path, response.status]).toEqual([path, 200])
    said.set(path, response.headers.get('Cache-Control'))
  }
  expect(Object.fromEntries(said)).toEqual(
    Object.fromEntries(routes.map(({ path }) => [path, OTHERWISE[path] ?? 'no-store'])),
  )
})

test('every error forbids caching, for any route and method', async () => {
  for (const { method, path } of mounted()) {
    if (path.startsWith('/api/v1/docs') || path === '/api/v1/openapi.json') continue
    const filled = path.replace(/:\w+/g, crypto.randomUUID())
    const response = await fetch(service.url + filled, { method })
    expect(response.ok).toBe(false)
    expect([method, path, response.headers.get('Cache-Control')]).toEqual([method, path, 'no-store'])
  }
  for (const path of ['/api', '/api/none', '/api/v1/none', '/api/v1/docs/none']) {
    const response = await fetch(service.url + path)
    expect(response.status).toBe(404)
    expect(response.headers.get('Cache-Control')).toBe('no-store')
  }
})

test('signing up, signing in, interacting and writing forbid caching', async () => {
  const post = (path: string, body: object, headers: Record<string, string> = {}) =>
    fetch(service.url + path, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', ...headers },
      body: JSON.stringify(body),
    })
  const person = { email: `${crypto.randomUUID()}@example.com`, password: 'correct horse' }
  const cards = `/api/v1/channels/${scene.channel_id}/cards`
  const card = { blocks: [{ type: 'divider' }] }
  const key = { Authorization: `Bearer ${scene.account.api_key}`, 'Idempotency-Key': crypto.randomUUID() }
  for (const send of [
    () => post('/api/auth/sign-up/email', { ...person, name: 'Bob' }),
    () => post('/api/auth/sign-in/email', person),
    () => post(`/api/channels/${scene.channel_id}/interactions`, { trigger: { type: 'reply', text: 'Hi' } }),
    () => post(cards, card, key),
    () => post(cards, card, key),
    () => post('/api/workspaces', { name: 'Other' }, { Cookie: scene.account.cookie }),
  ]) {
    const response = await send()
    expect([200, 201]).toContain(response.status)
    expect([response.url, response.headers.get('Cache-Control')]).toEqual([response.url, 'no-store'])
  }
})
