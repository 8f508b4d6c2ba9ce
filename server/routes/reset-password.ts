// Sets a new password with a link that the reset-password command printed. It signs in nobody.
import { type PasswordReset, resetPasswordBody } from '../../shared/reset-password.ts'
import { clientAddress } from '../auth/client-address.ts'
import { hashPassword } from '../auth/passwords.ts'
import { apiError, notFound } from '../errors.ts'
import { beginFor } from '../model/begin-for.ts'
import { findPasswordReset, usePasswordReset } from '../model/password-resets.ts'
import type { RouteDeps, Routes } from './deps.ts'
import { readBody } from './request.ts'

export function addResetPasswordRoute(routes: Routes, { sql, config, throttle, publish }: RouteDeps) {
  routes.post('/auth/reset-password', async c => {
    const { token, password } = await readBody(c, resetPasswordBody)
    const address = clientAddress(c.env.incoming, config.trust_proxy)
    const { user_id, has_password } = await throttle.tryToken(address, () => findPasswordReset(sql, token))
    if (!config.password_sign_in && !has_password) throw apiError('password_sign_in_off')
    const password_hash = await hashPassword(password, address)
    const ended = await beginFor(sql, user_id, tx => usePasswordReset(tx, token, { user_id, password_hash }))
    if (!ended) throw notFound('Reset link')
    for (const session_id of ended) publish({ kind: 'session_ended', session_id })
    return c.json<PasswordReset>({ success: true })
  })
}
