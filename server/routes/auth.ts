// How people can sign in, signing up, in and out, and the session check.
import type { SignedOut } from '../../shared/session.ts'
import type { SignInMethods } from '../../shared/sign-in-methods.ts'
import { type SignedIn, signInBody, signUpBody } from '../../shared/user.ts'
import { clientAddress } from '../auth/client-address.ts'
import { hashPassword } from '../auth/passwords.ts'
import { createSignOnCookies } from '../auth/sign-on-cookies.ts'
import { attemptKeys } from '../auth/throttle.ts'
import { createTokenBuckets } from '../auth/token-buckets.ts'
import { clearedUnlocks } from '../auth/unlocks.ts'
import { oidcSettings } from '../config.ts'
import { apiError } from '../errors.ts'
import { previewInvite, signUpWithInvite } from '../model/invites.ts'
import { createUser, findAccount, requireNoUsers } from '../model/users.ts'
import type { RouteDeps, Routes } from './deps.ts'
import { noteJoined } from './note-joined.ts'
import { readBody } from './request.ts'
import { startSession } from './start-session.ts'

const SIGNUPS = { per_ms: 600_000, code: 'too_many_sign_ups' } as const

export function addAuthRoutes(routes: Routes, deps: RouteDeps) {
  const { sql, caller, config, sessions, throttle, publish, secure, now } = deps
  const { signup_limit: tokens } = config
  const signups = tokens === null ? null : createTokenBuckets({ tokens, ...SIGNUPS })
  const cookies = createSignOnCookies(deps)

  routes.get('/auth/methods', c => {
    const { password_sign_in: password, signups: sign_up } = config
    const oidc = oidcSettings(config)
    return c.json<SignInMethods>({ password, sign_up, oidc: oidc && { name: oidc.name }, mail: false })
  })

  async function checkInvite(address: string, token: string, email: string): Promise<void> {
    const invite = await throttle.tryToken(address, () => previewInvite(sql, token, now()))
    if (invite.email !== null && invite.email !== email) throw apiError('invite_not_yours')
  }

  routes.post('/auth/sign-up/email', async c => {
    if (!config.password_sign_in) throw apiError('password_sign_in_off')
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
      await startSession(deps, c, user.id)
      return c.json<SignedIn>({ user })
    }
    const options = { token: invite, member_limit: config.member_limit, now: now() }
    const { user, accepted } = await signUpWithInvite(sql, new_user, options)
    noteJoined(deps, user.id, accepted)
    await startSession(deps, c, user.id)
    return c.json<SignedIn>({ user })
  })

  routes.post('/auth/sign-in/email', async c => {
    const { email, password } = await readBody(c, signInBody)
    // A password links an account to single sign-on even if it is otherwise turned off.
    const links = cookies.unlinked.read(c.env.incoming.headers.cookie)?.email === email
    if (!config.password_sign_in && !links) throw apiError('password_sign_in_off')
    const keys = attemptKeys(clientAddress(c.env.incoming, config.trust_proxy), email)
    const account = await findAccount(sql, email)
    const matches = await throttle.guess(keys, account?.password_hash ?? null, password)
    if (!account || !matches) throw apiError('invalid_credentials')
    const { password_hash, ...user } = account
    await startSession(deps, c, user.id, password_hash)
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
