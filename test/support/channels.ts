// Channels of an account, and the whole of a workspace's settings.
import type { Account } from './account.ts'
import type { Answer } from './service.ts'

/** A channel of the account's; its id. */
export async function createChannel(
  { key, workspace_id }: Pick<Account, 'key' | 'workspace_id'>,
  fields: object = {},
): Promise<string> {
  const { body, status } = await key<{ id: string }>('POST', '/channels', {
    name: 'Channel',
    workspace_id,
    ...fields,
  })
  if (status !== 201) throw new Error(`no channel: ${JSON.stringify(body)}`)
  return body.id
}

/** Changes the account's workspace; throws where that is refused. */
export async function patchWorkspace({ session, workspace_id }: Account, fields: object): Promise<Answer> {
  const answer = await session('PATCH', `/workspaces/${workspace_id}`, fields)
  if (answer.status !== 200) throw new Error(`not changed: ${JSON.stringify(answer.body)}`)
  return answer
}

/** What a refusal looks like. */
export const refusal = (status: number, error: string) => ({ status, body: { error } })
