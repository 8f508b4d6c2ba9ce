// Unlocks a protected workspace: the right password returns a cookie.
import { normalUuid } from '../../shared/text.ts'
import { type UnlockBody, type Unlocked, unlockBody } from '../../shared/unlock.ts'
import { clientAddress } from '../auth/client-address.ts'
import type { AttemptKeys } from '../auth/throttle.ts'
import { unlockCookie } from '../auth/unlocks.ts'
import { apiError } from '../errors.ts'
import { readUnlockTarget, type WorkspaceRef } from '../model/workspaces.ts'
import type { RouteDeps, Routes } from './deps.ts'
import { readBody } from './request.ts'

export function addUnlockRoutes(routes: Routes, { sql, config, throttle, secret, secure, now }: RouteDeps) {
  routes.post('/channel-unlock', async c => {
    const body = await readBody(c, unlockBody)
    const workspace = await readUnlockTarget(sql, workspaceOf(body))
    if (workspace.visibility !== 'protected') throw apiError('workspace_not_protected')
    const address = clientAddress(c.env.incoming, config.trust_proxy)
    const keys: AttemptKeys = [`unlock ${address}`, `workspace ${workspace.id}`]
    const matches = await throttle.guess(keys, workspace.password_hash, body.password)
    if (!matches) throw apiError('invalid_password')
    const cookie = unlockCookie(secret, workspace.id, workspace.access_version, { secure, now: now() })
    c.header('Set-Cookie', cookie)
    return c.json<Unlocked>({ unlocked: true, workspace_id: workspace.id })
  })
}

function workspaceOf({ workspace_id, channel_id, slug }: UnlockBody): WorkspaceRef {
  if (workspace_id !== undefined) return { workspace_id: normalUuid(workspace_id) }
  if (channel_id !== undefined) return { channel_id: normalUuid(channel_id) }
  if (slug !== undefined) return { slug }
  throw apiError('workspace_id_required')
}
