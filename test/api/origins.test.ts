// Calls from web pages: /api/v1 from any origin, /api only from our own.
import { describe, expect, test } from 'vitest'
import { createAccount } from '../support/account.ts'
import { createTestChannel, textCard } from '../support/cards.ts'
import { denied, invalid } from '../support/errors.ts'
import { mountedRoutes } from '../support/mounted-routes.ts'
import { freePort } from '../support/ports.ts'
import { requestHead, sendRaw } from '../support/raw.ts'
import { runService } from '../support/running.ts'
import { callTo, startTestService } from '../support/service.ts'

const ELSEWHERE = 'https://elsewhere.example'
const PUBLIC_URL = 'https://feed.example'

const service = await runService({ DAILY_CARD_LIMIT: '3' })
const base = service.url
const ann = await createAccount(service)
const cards = await createTestChannel(ann)

const from = (Origin: string) => ({ Origin })

describe('/api/v1', () => {
  const exposed = ['RateLimit', 'RateLimit-Policy', 'Retry-After', 'Idempotent-Replayed', 'ETag']

  test.each([ELSEWHERE, 'null', 'http://localhost:1', 'file://'])(
    'a preflight from %s is let through',
    async origin => {
      for (const method of ['GET', 'POST', 'PUT', 'PATCH', 'DELETE']) {
        const response = await fetch(`${base}/api/v1${cards}`, {
          method: 'OPTIONS',
          headers: {
            Origin: origin,
            'Access-Control-Request-Method': method,
            'Access-Control-Request-Headers': 'authorization,content-type,idempotency-key',
          },
        })
        expect(response.status).toBe(204)
        expect(response.headers.get('Access-Control-Allow-Origin')).toBe('*')
        expect(response.headers.get('Access-Control-Allow-Methods')).toContain(method)
        expect(response.headers.get('Access-Control-Allow-Credentials')).toBeNull()
        const headers = response.headers.get('Access-Control-Allow-Headers')?.toLowerCase() ?? ''
        const sent = 'authorization content-type idempotency-key if-none-match last-event-id'
        const tracing = 'traceparent tracestate baggage sentry-trace x-requested-with'
        for (const name of `${sent} ${tracing}`.split(' ')) expect(headers.split(', ')).toContain(name)
      }
    },
  )

  const RESPONSES: [string, number, () => Promise<{ status: number; headers: Headers }>][] = [
    ['a list', 200, () => ann.key('GET', cards, undefined, from(ELSEWHERE))],
    ['an invalid body', 400, () => ann.key('POST', cards, {}, from(ELSEWHERE))],
    ['no key', 401, () => ann.key('GET', cards, undefined, { ...from(ELSEWHERE), Authorization: '' })],
    ['no channel', 404, () => ann.key('GET', '/channels/x', undefined, from(ELSEWHERE))],
    ['no route', 404, () => ann.key('GET', '/x', undefined, from(ELSEWHERE))],
    ['a body too large', 413, () => ann.key('POST', cards, 'x'.repeat(300_000), from(ELSEWHERE))],
  ]
  test.each(RESPONSES)('%s is readable from any origin, without credentials', async (_, status, ask) => {
    const response = await ask()
    expect(response.status).toBe(status)
    expect(response.headers.get('Access-Control-Allow-Origin')).toBe('*')
    expect(response.headers.get('Access-Control-Allow-Credentials')).toBeNull()
    const names = response.headers.get('Access-Control-Expose-Headers')?.split(/, */) ?? []
    for (const name of exposed) expect(names).toContain(name)
  })

  test('the limit headers are readable on 201 and 429', async () => {
    const bob = await createAccount(service)
    const own = await createTestChannel(bob)
    const responses = []
    for (let i = 0; i < 4; i++) responses.push(await bob.key('POST', own, textCard(), from(ELSEWHERE)))
    expect(responses.map(({ status }) => status)).toEqual([201, 201, 201, 429])
    for (const { headers } of responses) {
      expect(headers.get('RateLimit-Policy')).toBe('"cards";q=3;w=86400')
      expect(headers.get('RateLimit')).toMatch(/^"cards";r=\d;t=\d+$/)
      expect(headers.get('Access-Control-Expose-Headers')).toContain('RateLimit')
      expect(headers.get('Access-Control-Allow-Origin')).toBe('*')
    }
    expect(responses[3]?.headers.get('Retry-After')).toMatch(/^\d+$/)
  })

  test("/api/v1 doesn't accept a cookie instead of a key", async () => {
    const response = await ann.session('POST', '/v1/channels', {}, from(ELSEWHERE))
    expect(response.status).toBe(401)
  })
})

describe('/api', () => {
  const change = (headers: Record<string, string>) =>
    ann.session('POST', '/workspaces', { name: ' ' }, headers)
  const passed = invalid('name is required')

  const parameters: Record<string, string> = { channelId: cards.split('/')[2] ?? '', id: ann.workspace_id }
  const changes = mountedRoutes(service).filter(
    ({ method, path }) => method !== 'GET' && !path.startsWith('/api/v1/'),
  )
  test.each([...changes, { method: 'POST', path: '/api/nowhere' }])(
    '$method $path from another origin returns 403, before other errors',
    async ({ method, path }) => {
      const at = path.replace(/^\/api/, '').replace(/:(\w+)/g, (_, name) => parameters[name] ?? 'x')
      for (const origin of [
        ELSEWHERE,
        'null',
        '',
        'x',
        'file://',
        'http://localhost',
        'http://localhost:1',
        'https://localhost.elsewhere.example',
        `${base}.elsewhere.example`,
      ])
        expect(await ann.session(method, at, '{', from(origin)), origin).toMatchObject(denied)
      expect((await ann.session('GET', cards)).status).toBe(200)
    },
  )
  test('a request without Origin passes: no web page sends it', async () => {
    expect(await change({})).toMatchObject(passed)
  })
  test('a request from the host of the request passes', async () => {
    const { port } = new URL(base)
    for (const origin of [base, base.replace('localhost', 'LOCALHOST')])
      expect(await change(from(origin))).toMatchObject(passed)
    const head = requestHead('POST', '/api/workspaces', {
      Cookie: ann.cookie,
      Origin: `http://feed.lan:${port}`,
      'Content-Type': 'application/json',
      'Content-Length': '2',
    })
    const sent = head.replace('Host: localhost', `Host: feed.lan:${port}`)
    expect(await sendRaw(base, sent, '{}')).toMatchObject({ status: 400 })
    expect(await sendRaw(base, head, '{}')).toMatchObject({ status: 403 })
  })
  test("a GET from another origin gets a response that the page can't read", async () => {
    const response = await ann.session('GET', '/workspaces', undefined, from(ELSEWHERE))
    expect(response.status).toBe(200)
    expect(response.headers.get('Access-Control-Allow-Origin')).toBeNull()
    expect(response.headers.get('Access-Control-Allow-Credentials')).toBeNull()
    const preflight = await fetch(`${base}/api/workspaces`, {
      method: 'OPTIONS',
      headers: { Origin: ELSEWHERE, 'Access-Control-Request-Method': 'POST' },
    })
    expect(preflight.headers.get('Access-Control-Allow-Origin')).toBeNull()
  })
})

test('PUBLIC_URL is an own origin for every host, and its cookies are Secure', async () => {
  const port = await freePort()
  const other = await startTestService({ PUBLIC_URL, PORT: String(port) }, { database: service.database })
  try {
    const call = callTo(`http://127.0.0.1:${port}/api`)
    const account = { email: 'b@example.com', password: 'correct horse', name: 'B' }
    const made = await call('POST', '/auth/sign-up/email', account, from(PUBLIC_URL))
    expect(made.status).toBe(200)
    expect(made.headers.get('Set-Cookie')).toMatch(
      /^__Host-session=[^;]+;.*; HttpOnly; SameSite=Lax; Secure$/,
    )
    for (const origin of [ELSEWHERE, 'http://feed.example', `${PUBLIC_URL}:444`])
      expect(await call('POST', '/auth/sign-in/email', account, from(origin))).toMatchObject(denied)
  } finally {
    await other.stop()
  }
})
