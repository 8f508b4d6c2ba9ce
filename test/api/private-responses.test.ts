// API responses may be private: every route forbids caching them, unless they are public.
import { expect, test } from 'vitest'
import { textCard } from '../support/cards.ts'
import { ask } from '../support/decisions.ts'
import { readLog } from '../support/deliveries.ts'
import { fillPath, mountedRoutes, parametersOf } from '../support/mounted-routes.ts'
import { runReceiver, runService } from '../support/running.ts'
import { buildScene } from '../support/scene.ts'

/** Public, or revalidated by the reader each time. */
const OTHERWISE: Record<string, string> = {
  '/api/v1/openapi.json': 'no-cache',
  '/api/v1/docs': 'no-cache',
  '/api/channels/:channelId/pages/:page': 'private, no-cache',
}

const receiver = await runReceiver()
const service = await runService()
const scene = await buildScene(service, { webhook_url: receiver.url })
await scene.click()
const parameters = await parametersOf(scene)
const decided = await ask(scene.account.key, scene.channel_id)
await scene.interact({ card_id: decided.card_id, trigger: { type: 'button_click', button_id: 'yes' } })
const getRoutes = mountedRoutes(service).filter(({ method }) => method === 'GET')

/** Asks as the owner, or with the owner's key. */
async function get(path: string, query = '') {
  const headers = {
    Cookie: scene.account.cookie,
    ...(path.startsWith('/api/v1/') && { Authorization: `Bearer ${scene.account.api_key}` }),
  }
  const needed = `?workspace_id=${parameters.id}&slug=free-slug`
  const values = path.endsWith('/signed') ? { ...parameters, decisionId: decided.id } : parameters
  const url = service.url + fillPath(path, values) + needed + query
  const response = await fetch(url, { headers, redirect: 'manual' })
  await response.body?.cancel()
  return response
}

test('every GET route forbids caching, unless its response is public or has an ETag', async () => {
  expect(getRoutes.length).toBeGreaterThan(30)
  const said = new Map<string, string | null>()
  for (const { path } of getRoutes) {
    const response = await get(path)
    expect([path, response.status]).toEqual([path, path === '/api/v1/docs' ? 302 : 200])
    said.set(path, response.headers.get('Cache-Control'))
  }
  expect(Object.fromEntries(said)).toEqual(
    Object.fromEntries(getRoutes.map(({ path }) => [path, OTHERWISE[path] ?? 'no-store'])),
  )
})

test('D8: no GET decides anything, whatever its query says', async () => {
  const { account, channel_id } = scene
  const log = await readLog(scene)
  const press = '&type=button_click&trigger=button_click&button=yes&button_id=yes&decision=yes'
  for (const path of [...getRoutes.map(({ path }) => path), '/c/:channelId'])
    await get(path, `${press}&card=${parameters.cardId}&decision_id=${parameters.decisionId}`)
  const decision = await account.key('GET', `/channels/${channel_id}/decisions/${parameters.decisionId}`)
  expect(decision.body).toMatchObject({ state: 'waiting', outcome: null })
  expect(await readLog(scene)).toEqual(log)
})

/** Anyone may read these, so no error can be had from them. */
const WITHOUT_ERRORS = ['/api/v1/docs', '/api/v1/openapi.json', '/api/auth/methods']

test('every error forbids caching, for any route and method', async () => {
  for (const { method, path } of mountedRoutes(service)) {
    if (WITHOUT_ERRORS.includes(path)) continue
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
  const { account, channel_id } = scene
  const person = { email: `${crypto.randomUUID()}@example.com`, password: 'correct horse' }
  const interactions = `/channels/${channel_id}/interactions`
  const push = () =>
    account.key('POST', `/channels/${channel_id}/cards`, textCard(), { 'Idempotency-Key': 'once' })
  for (const { status, headers } of [
    await account.session('POST', '/auth/sign-up/email', { ...person, name: 'Bob' }),
    await account.session('POST', '/auth/sign-in/email', person),
    await account.session('POST', interactions, { trigger: { type: 'reply', text: 'Hi' } }),
    await push(),
    await push(),
  ])
    expect([status < 300, headers.get('Cache-Control')]).toEqual([true, 'no-store'])
})
