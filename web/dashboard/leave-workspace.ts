// Leaves a workspace that somebody else owns, after a question.
import { ChannelFeedError } from '../../client/errors.ts'
import type { ListedWorkspace } from '../../shared/workspace.ts'
import { canRun, fetchApiKeys, removeMember } from '../data/owner-requests.ts'
import { errorText } from '../lib/error-text.ts'
import { requestConfirmation } from '../ui/confirmation.tsx'
import { showToast } from '../ui/toast.tsx'
import { endingKeysText } from './ending-keys.ts'

type Left = Pick<ListedWorkspace, 'id' | 'name' | 'role'>

/** Resolves to whether the person left. */
export async function leaveWorkspace(workspace: Left): Promise<boolean> {
  try {
    const about = [
      'You lose your role at once. Only a new invite brings you back.',
      await keysText(workspace),
    ]
    const question = [`Leave ${workspace.name}?`, ...about].join('\n').trim()
    if (!(await requestConfirmation({ question, yes: 'Leave', danger: true }))) return false
    await removeMember(workspace.id, 'me')
    showToast({ words: `You left ${workspace.name}` })
    return true
  } catch (error) {
    if (!(error instanceof ChannelFeedError)) throw error
    showToast({ words: errorText(error) })
    return false
  }
}

async function keysText(workspace: Left): Promise<string> {
  if (!canRun(workspace)) return ''
  return endingKeysText((await fetchApiKeys()).filter(({ workspace_id }) => workspace_id === workspace.id))
}
