// Changes of a workspace's people. Each asks first what can't be undone, and resolves to what happened, or to null if the person
// at the keyboard thought better of it.
import type { Member } from '../../shared/member.ts'
import type { MemberRole, Role } from '../../shared/role.ts'
import type { ListedWorkspace } from '../../shared/workspace.ts'
import {
  canRun,
  fetchChannels,
  fetchWaitingDecisions,
  fetchWorkspaceKeys,
  removeMember,
  setRole,
  transferWorkspace,
} from '../data/owner-requests.ts'
import { countOf } from '../lib/format.ts'
import { ROLE_NAMES } from '../lib/role-words.ts'
import { requestConfirmation } from '../ui/confirmation.tsx'
import { endingKeysText } from './ending-keys.ts'

type Place = Pick<ListedWorkspace, 'id' | 'name' | 'role'>
type Change = Promise<string | null>

const inSentence = (role: Role) =>
  `${role === 'editor' || role === 'owner' ? 'an' : 'a'} ${ROLE_NAMES[role].toLowerCase()}`

export async function giveRole(workspace: Place, member: Member, role: MemberRole): Change {
  const keys = canRun({ role }) ? '' : await keysText(workspace, member)
  const question = `Make ${member.name} ${inSentence(role)}?\n${keys}`
  if (keys !== '' && !(await requestConfirmation({ question, yes: 'Change role', danger: true }))) return null
  await setRole(workspace.id, member.user_id, role)
  return `${member.name} is ${inSentence(role)} now.`
}

export async function removePerson(workspace: Place, member: Member): Change {
  const about = await Promise.all([
    'They lose their role at once. Only a new invite brings them back.',
    keysText(workspace, member),
    questionsText(workspace, member),
  ])
  const question = [`Remove ${member.name}?`, ...about].filter(text => text !== '').join('\n')
  if (!(await requestConfirmation({ question, yes: 'Remove', danger: true }))) return null
  await removeMember(workspace.id, member.user_id)
  return `${member.name} was removed.`
}

export async function transferTo(workspace: Place, member: Member): Change {
  const { name } = member
  const question = [
    `Make ${name} the owner of ${workspace.name}?`,
    'You become an editor, who can’t delete the workspace or choose who sees it.',
    `New cards and channels count against ${name}’s limits. Only ${name} can undo this.`,
  ].join('\n')
  if (!(await requestConfirmation({ question, yes: 'Transfer workspace', danger: true }))) return null
  await transferWorkspace(workspace.id, member.user_id)
  return `${name} is the owner now, and you are an editor.`
}

/** Editors have keys that only an owner sees, and only an owner takes the right to run the workspace. */
async function keysText({ id, role }: Place, member: Member): Promise<string> {
  if (role !== 'owner' || !canRun(member)) return ''
  const keys = await fetchWorkspaceKeys(id)
  return endingKeysText(keys.filter(({ user }) => user.id === member.user_id))
}

/** How many waiting questions ask nobody else. */
async function questionsText({ id }: Place, { name, email }: Member): Promise<string> {
  const asking = (await fetchChannels(id)).filter(({ waiting }) => waiting > 0)
  const waiting = await Promise.all(asking.map(channel => fetchWaitingDecisions(channel.id)))
  const isAlone = (who: string | string[]) => Array.isArray(who) && who.length === 1 && who[0] === email
  const count = waiting.flat().filter(({ who }) => isAlone(who)).length
  return count === 0
    ? ''
    : `${countOf(count, 'waiting question asks', 'waiting questions ask')} only ${name}.`
}
