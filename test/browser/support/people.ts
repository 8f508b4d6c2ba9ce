// People with a role in a workspace of the test server's owner.
import type { BrowserContextOptions } from 'playwright-core'
import type { MemberRole } from '../../../shared/role.ts'
import { makeSession, makeUser } from './session.ts'
import { server, session, signedIn } from './stage.ts'

export type TestPerson = Awaited<ReturnType<typeof addPerson>>

/** The link of a new invite, with more fields if there are any. The server calls its host by another name than the tests. */
export async function inviteTo(workspace_id: string, role: MemberRole, fields: object = {}): Promise<string> {
  const body = { role, ...fields }
  const { url } = await session<{ url: string }>('POST', `/workspaces/${workspace_id}/invites`, body)
  return `${server.url}/join${new URL(url).hash}`
}

/** Signs a user up who joins the workspace, with a link of their own unless one is given. */
export async function addPerson(workspace_id: string, role: MemberRole, name = 'Mia', link?: string) {
  const user = await makeUser(server, name)
  const own = await makeSession({ url: server.url, owner: user })
  const token = new URL(link ?? (await inviteTo(workspace_id, role))).hash.slice(1)
  await own('POST', '/invites/accept', { token })
  const { user: account } = await own<{ user: { id: string } }>('GET', '/auth/get-session')
  const member = `/workspaces/${workspace_id}/members/${account.id}`
  return {
    user,
    /** The API as this person uses it. */
    session: own,
    /** A fresh window of this person. */
    visit: (options: BrowserContextOptions = {}) => signedIn(options, user),
    /** By the owner. */
    setRole: (role: MemberRole) => session('PATCH', member, { role }),
    remove: () => session('DELETE', member),
  }
}
