// A workspace with a person of each role, and people without one.
import type { MemberRole } from '../../shared/role.ts'
import { type Account, createAccount } from './account.ts'
import { createChannel } from './channels.ts'
import { create, type TestService } from './service.ts'

export type Team = Awaited<ReturnType<typeof createTeam>>
export type People = Record<'owner' | MemberRole | 'stranger', Account>

export async function createPeople(service: Pick<TestService, 'url'>): Promise<People> {
  const account = () => createAccount(service)
  const [owner, editor, member, viewer, stranger] = await Promise.all([
    account(),
    account(),
    account(),
    account(),
    account(),
  ])
  return { owner, editor, member, viewer, stranger }
}

/** A new private workspace of these people, with an interactive channel. */
export async function createTeam(people: People) {
  const { owner } = people
  const workspace = await create<{ id: string; slug: string }>(owner.session, '/workspaces', { name: 'Team' })
  for (const role of ['editor', 'member', 'viewer'] as const)
    await join(owner, workspace.id, people[role], role)
  const channel_id = await createChannel({ ...owner, workspace_id: workspace.id }, { mode: 'interactive' })
  return { workspace_id: workspace.id, slug: workspace.slug, channel_id, ...people }
}

/** Returns the token of a new invite. */
export async function inviteTo(by: Account, workspace_id: string, fields: object): Promise<string> {
  const { url } = await create<{ id: string; url: string }>(
    by.session,
    `/workspaces/${workspace_id}/invites`,
    fields,
  )
  return new URL(url).hash.slice(1)
}

export async function join(
  by: Account,
  workspace_id: string,
  person: Account,
  role: MemberRole,
): Promise<void> {
  const token = await inviteTo(by, workspace_id, { role })
  const { status } = await person.session('POST', '/invites/accept', { token })
  if (status !== 200) throw new Error(`accepting an invite returned ${status}`)
}
