// What the holder of an invite's link does with it.
import { type InvitePreview, inviteTokenBody, type Joined } from '../../shared/member.ts'
import { clientAddress } from '../auth/client-address.ts'
import { acceptInvite, previewInvite } from '../model/invites.ts'
import type { AppContext, RouteDeps, Routes } from './deps.ts'
import { noteJoined } from './note-joined.ts'
import { readBody } from './request.ts'

export function addInviteRoutes(routes: Routes, deps: RouteDeps) {
  const { sql, caller, config, throttle, now } = deps
  const address = (c: AppContext) => clientAddress(c.env.incoming, config.trust_proxy)

  routes.post('/invites/preview', async c => {
    const { token } = await readBody(c, inviteTokenBody)
    return c.json<InvitePreview>(await throttle.tryToken(address(c), () => previewInvite(sql, token, now())))
  })

  routes.post('/invites/accept', caller, async c => {
    const { token } = await readBody(c, inviteTokenBody)
    const options = { token, member_limit: config.member_limit, now: now() }
    const accepted = await throttle.tryToken(address(c), () => acceptInvite(sql, c.get('user'), options))
    noteJoined(deps, c.get('user_id'), accepted)
    const { workspace, role } = accepted
    return c.json<Joined>({ workspace, role })
  })
}
