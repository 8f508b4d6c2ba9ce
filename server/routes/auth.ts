// Signing up, in and out, and the session check. Mounted at /api/auth.
import type { HttpBindings } from '@hono/node-server'
import { Hono } from 'hono'
import type { SignedOut } from '../../shared/session.ts'
import { type SignedIn, signInBody, signUpBody, type User } from '../../shared/user.ts'
import { clientAddress } from '../auth/client-address.ts'
import { requireSession, type SessionVariables } from '../auth/middleware.ts'
import { hashPassword } from '../auth/passwords.ts'
import type { Sessions } from '../auth/sessions.ts'
import { attemptKeys, type Throttle } from '../auth/throttle.ts'
import { createTokenBuckets } from '../auth/token-buckets.ts'
import type { Config } from '../config.ts'
import type { Sql } from '../database/connect.ts'
import { tooManyRequests, wrongCredentials } from '../errors.ts'
import { createUser, findAccount, refuseSignUp } from '../model/users.ts'
import { readBody } from './request.ts'

const SIGNUP_WINDOW_MS = 600_000

type Deps = {
  sql: Sql
  config: Pick<Config, 'signups' | 'signup_limit' | 'trust_proxy'>
  sessions: Sessions
  throttle: Throttle
  /** Closes sockets that were opened with the session, on every instance. */
  on_session_ended: (session_id: string) => void
}

export function authRoutes({ sql, config, sessions, throttle, on_session_ended }: Deps) {
  const routes = new Hono<{ Bindings: HttpBindings; Variables: SessionVariables }>()

  const signups =
    config.signup_limit === null
      ? null
      : createTokenBuckets({ tokens: config.signup_limit, per_ms: SIGNUP_WINDOW_MS })

  /** The Set-Cookie that signs the user in; the browser's earlier session ends. */
  async function signIn(
    user: User,
    request: { header(name: string): string | undefined },
    password_hash?: string,
  ): Promise<string> {
    const [cookies, user_agent] = [request.header('Cookie'), request.header('User-Agent')]
    const session = await sessions.create(user.id, cookies, user_agent, password_hash)
    if (session.ended_id !== null) on_session_ended(session.ended_id)
    return session.set_cookie
  }

  routes.post('/sign-up/email', async c => {
    if (config.signups === 'closed') await refuseSignUp(sql)
    const { email, password, name } = await readBody(c, signUpBody)
    const address = clientAddress(c.env.incoming, config.trust_proxy)
    // Before the hash: it is the expensive part of a flood of sign-ups.
    const wait_ms = signups?.take(address) ?? 0
    if (wait_ms > 0) throw tooManyRequests('Too many sign-ups', wait_ms / 1_000)
    const password_hash = await hashPassword(password, address)
    const user = await createUser(sql, { email, name, password_hash }, config.signups)
    c.header('Set-Cookie', await signIn(user, c.req))
    return c.json<SignedIn>({ user })
  })

  routes.post('/sign-in/email', async c => {
    const { email, password } = await readBody(c, signInBody)
    const keys = attemptKeys(clientAddress(c.env.incoming, config.trust_proxy), email)
    const account = await findAccount(sql, email)
    const matches = await throttle.guess(keys, account?.password_hash ?? null, password)
    if (!account || !matches) throw wrongCredentials()
    const { password_hash, ...user } = account
    c.header('Set-Cookie', await signIn(user, c.req, password_hash))
    return c.json<SignedIn>({ user })
  })

  routes.post('/sign-out', requireSession({ sessions }), async c => {
    await sessions.end(c.get('session_id'))
    on_session_ended(c.get('session_id'))
    c.header('Set-Cookie', sessions.clear_cookie)
    return c.json<SignedOut>({ success: true })
  })

  routes.get('/get-session', requireSession({ sessions }), c => c.json<SignedIn>({ user: c.get('user') }))

  return routes
}
