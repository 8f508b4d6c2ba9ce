// The routes of accounts and keys on a port of their own, and browsers that keep their cookie.
import { type ServerType, serve } from '@hono/node-server'
import { Hono } from 'hono'
import { createKeyRing } from '../../server/auth/api-keys.ts'
import { type KeyVariables, requireKey, requireScope } from '../../server/auth/middleware.ts'
import { createSessions } from '../../server/auth/sessions.ts'
import { createThrottle } from '../../server/auth/throttle.ts'
import type { Config } from '../../server/config.ts'
import { asApiError } from '../../server/errors.ts'
import { apiKeyRoutes } from '../../server/routes/api-keys.ts'
import { authRoutes } from '../../server/routes/auth.ts'
import { createTestDatabase } from '../support/database.ts'

type Answer = { status: number; headers: Headers; body: unknown }

export async function startDashboardServer(
  config: Partial<Pick<Config, 'signups' | 'signup_limit' | 'trust_proxy'>> = {},
) {
  const database = await createTestDatabase()
  const { sql } = database
  const sessions = createSessions({ sql, secret: 'a secret of some length', secure: false })
  const key_ring = createKeyRing(sql)
  const ended: string[] = []
  const deleted: string[] = []
  const app = new Hono()
  app.route(
    '/api/auth',
    authRoutes({
      sql,
      config: { signups: 'open', signup_limit: 20, trust_proxy: true, ...config },
      sessions,
      throttle: createThrottle(sql),
      on_session_ended: id => ended.push(id),
    }),
  )
  app.route(
    '/api/api-keys',
    apiKeyRoutes({ sql, sessions, key_ring, on_key_deleted: id => deleted.push(id) }),
  )
  const v1 = new Hono<{ Variables: KeyVariables }>().use(requireKey(key_ring))
  v1.on(['GET', 'POST', 'DELETE'], '/', requireScope('read'), c => c.json({ user_id: c.get('user_id') }))
  v1.post('/cards', requireScope('write'), c => c.json({}))
  v1.post('/channels', requireScope('full'), c => c.json({}))
  app.route('/api/v1', v1)
  app.onError((error, c) => {
    const known = asApiError(error)
    if (!known) throw error
    return c.json({ error: known.message }, known.status, known.headers)
  })
  const { server, url } = await listen(app)

  /** Each comes from an address of its own, unless told. */
  let browsers = 0
  function browser(address = `198.51.100.${++browsers}`) {
    let cookie = ''
    return {
      cookie: () => cookie,
      async send(
        method: string,
        path: string,
        body?: unknown,
        headers: Record<string, string> = {},
      ): Promise<Answer> {
        const response = await fetch(url + path, {
          method,
          headers: {
            'Content-Type': 'application/json',
            'X-Forwarded-For': address,
            Cookie: cookie,
            ...headers,
          },
          body: body === undefined ? null : JSON.stringify(body),
        })
        const [set_cookie] = response.headers.getSetCookie()
        if (set_cookie !== undefined) cookie = set_cookie.split(';')[0] ?? ''
        const text = await response.text()
        const answer: unknown = text === '' ? null : JSON.parse(text)
        return { status: response.status, headers: response.headers, body: answer }
      },
    }
  }

  return {
    sql,
    ended,
    deleted,
    browser,
    async stop(): Promise<void> {
      await new Promise(resolve => server.close(resolve))
      await key_ring.flush()
      await database.drop()
    },
  }
}

function listen(app: Hono): Promise<{ server: ServerType; url: string }> {
  return new Promise(resolve => {
    const server = serve({ fetch: app.fetch, port: 0, hostname: '127.0.0.1' }, ({ port }) =>
      resolve({ server, url: `http://127.0.0.1:${port}` }),
    )
  })
}
