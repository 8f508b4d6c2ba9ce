// The signed-in user's account: name, password and open sessions.
import type { EndedSessions, ListedSession } from '../../shared/session.ts'
import { patchAccountBody, type SignedIn } from '../../shared/user.ts'
import { clientAddress } from '../auth/client-address.ts'
import { hashPassword } from '../auth/passwords.ts'
import { attemptKeys } from '../auth/throttle.ts'
import { apiError, notFound, unauthorized } from '../errors.ts'
import { beginFor } from '../model/begin-for.ts'
import { findAccount, patchUser } from '../model/users.ts'
import type { RouteDeps, Routes } from './deps.ts'
import { readBody, readId } from './request.ts'

/** The new cookie must arrive before other tabs of the browser reconnect. */
const COOKIE_ARRIVES_MS = 1_000

export function addAccountRoutes(
  routes: Routes,
  { sql, caller, config, sessions, throttle, publish }: RouteDeps,
) {
  routes.patch('/auth/account', caller, async c => {
    const { name, current_password, new_password } = await readBody(c, patchAccountBody)
    const user = c.get('user')
    if (new_password === undefined || current_password === undefined) {
      return c.json<SignedIn>({ user: (await patchUser(sql, user.id, { name })) ?? user })
    }
    const keys = attemptKeys(clientAddress(c.env.incoming, config.trust_proxy), user.email)
    const known_hash = (await findAccount(sql, user.email))?.password_hash
    if (known_hash === undefined) throw unauthorized()
    if (known_hash === null) throw apiError('no_password')
    if (!(await throttle.guess(keys, known_hash, current_password))) throw apiError('invalid_password')
    const password_hash = await hashPassword(new_password, user.id)
    const changed = await beginFor(sql, user.id, async tx => {
      const changed = await patchUser(tx, user.id, { name, password_hash }, known_hash)
      if (!changed) throw apiError('invalid_password')
      const set_cookie = await sessions.renew(tx, c.get('session_id'))
      if (set_cookie === null) throw unauthorized()
      const ended = await sessions.endOthers(user.id, c.get('session_id'), tx)
      return { user: changed, set_cookie, ended }
    })
    for (const session_id of changed.ended) publish({ kind: 'session_ended', session_id })
    const renewed = { kind: 'session_ended', session_id: c.get('session_id') } as const
    setTimeout(publish, COOKIE_ARRIVES_MS, renewed).unref()
    c.header('Set-Cookie', changed.set_cookie)
    return c.json<SignedIn>({ user: changed.user })
  })

  routes.get('/auth/sessions', caller, async c => {
    return c.json<ListedSession[]>(await sessions.list(c.get('user_id'), c.get('session_id')))
  })

  routes.delete('/auth/sessions/:id', caller, async c => {
    const id = readId(c, 'id', 'Session')
    if (!(await sessions.endOwn(c.get('user_id'), id))) throw notFound('Session')
    publish({ kind: 'session_ended', session_id: id })
    if (id === c.get('session_id')) c.header('Set-Cookie', sessions.clear_cookie)
    return c.body(null, 204)
  })

  routes.post('/auth/sessions/end-others', caller, async c => {
    const ended = await sessions.endOthers(c.get('user_id'), c.get('session_id'))
    for (const session_id of ended) publish({ kind: 'session_ended', session_id })
    return c.json<EndedSessions>({ ended: ended.length })
  })
}
