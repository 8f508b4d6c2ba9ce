// Signing up, in and out, and the session check.
import type { SignedOut } from '../../shared/session.ts'
import { type SignedIn, signInBody, signUpBody, type User } from '../../shared/user.ts'
import { clientAddress } from '../auth/client-address.ts'
import { hashPassword } from '../auth/passwords.ts'
import { attemptKeys } from '../auth/throttle.ts'
import { createTokenBuckets } from '../auth/token-buckets.ts'
import { clearedUnlocks } from '../auth/unlocks.ts'
import { apiError } from '../errors.ts'
import { previewInvite, signUpWithInvite } from '../model/invites.ts'
import { createUser, findAccount, requireNoUsers } from '../model/users.ts'
import type { AppContext, RouteDeps, Routes } from './deps.ts'
import { noteJoined } from './note-joined.ts'
import { readBody } from './request.ts'

const SIGNUPS = { per_ms: 600_000, code: 'too_many_sign_ups' } as const

export function addAuthRoutes(routes: Routes, deps: RouteDeps) {
  const { sql, caller, config, sessions, throttle, publish, secure, now } = deps
  const { signup_limit: tokens } = config
  const signups = tokens === null ? null : createTokenBuckets({ tokens, ...SIGNUPS })

  /** Returns the Set-Cookie header. Ends the browser's earlier session, and the user's oldest ones beyond the limit. */
  async function signIn(user: User, { req }: AppContext, password_hash?: string): Promise<string> {
    const { set_cookie, ended_ids } = await sessions.create(
      user.id,
      req.header('Cookie'),
      req.header('User-Agent'),
      password_hash,
    )
    for (const session_id of ended_ids) publish({ kind: 'session_ended', session_id })
    return set_cookie
  }

  async function checkInvite(address: string, token: string, email: string): Promise<void> {
    const invite = await throttle.tryToken(address, () => previewInvite(sql, token, now()))
    if (invite.email !== null && invite.email !== email) throw apiError('invite_not_yours')
  }

  routes.post('/auth/sign-up/email', async c => {
    const { email, password, name, invite } = await readBody(c, signUpBody)
    const address = clientAddress(c.env.incoming, config.trust_proxy)
    const only_first = config.signups !== 'open'
    // Before hashing, because a hash is expensive.
    if (invite !== undefined) await checkInvite(address, invite, email)
    else if (only_first) await requireNoUsers(sql)
    signups?.take(address)
    const new_user = { email, name, password_hash: await hashPassword(password, address) }
    if (invite === undefined) {
      const user = await createUser(sql, new_user, only_first)
      c.header('Set-Cookie', await signIn(user, c))
      return c.json<SignedIn>({ user })
    }
    const options = { token: invite, member_limit: config.member_limit, now: now() }
    const { user, accepted } = await signUpWithInvite(sql, new_user, options)
    noteJoined(deps, user.id, accepted)
    c.header('Set-Cookie', await signIn(user, c))
    return c.json<SignedIn>({ user })
  })

  routes.post('/auth/sign-in/email', async c => {
    const { email, password } = await readBody(c, signInBody)
    const keys = attemptKeys(clientAddress(c.env.incoming, config.trust_proxy), email)
    const account = await findAccount(sql, email)
    const matches = await throttle.guess(keys, account?.password_hash ?? null, password)
    if (!account || !matches) throw apiError('invalid_credentials')
    const { password_hash, ...user } = account
    c.header('Set-Cookie', await signIn(user, c, password_hash))
    return c.json<SignedIn>({ user })
  })

  routes.post('/auth/sign-out', caller, async c => {
    await sessions.end(c.get('session_id'))
    publish({ kind: 'session_ended', session_id: c.get('session_id') })
    c.header('Set-Cookie', sessions.clear_cookie)
    for (const cookie of clearedUnlocks(c.env.incoming.headers.cookie, secure))
      c.header('Set-Cookie', cookie, { append: true })
    return c.json<SignedOut>({ success: true })
  })

  routes.get('/auth/get-session', caller, c => c.json<SignedIn>({ user: c.get('user') }))
}
