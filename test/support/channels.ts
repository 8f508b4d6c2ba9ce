// Channels of an owner, and complete workspace settings.
import type { Account } from './account.ts'
import { type Answer, create } from './service.ts'

/** Creates a channel of the owner and returns its id. */
export async function createChannel(
  { key, workspace_id }: Pick<Account, 'key' | 'workspace_id'>,
  fields: object = {},
): Promise<string> {
  return (await create(key, '/channels', { name: 'Channel', workspace_id, ...fields })).id
}

/** Changes the owner's workspace; throws on an error response. */
export async function patchWorkspace({ session, workspace_id }: Account, fields: object): Promise<Answer> {
  const answer = await session('PATCH', `/workspaces/${workspace_id}`, fields)
  if (answer.status !== 200) throw new Error(`not changed: ${JSON.stringify(answer.body)}`)
  return answer
}
