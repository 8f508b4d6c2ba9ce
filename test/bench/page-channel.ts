// The channel whose page the benchmarks of pages open.
import { makeApi, pushMany } from '../browser/support/api.ts'
import { makeSession } from '../browser/support/session.ts'
import { pushShowcase } from '../browser/support/showcase.ts'
import type { TestServer } from '../support/server.ts'

export const CARDS = 200

/** Returns the id of a public channel: a viewer needs no session. */
export async function preparePageChannel(server: TestServer): Promise<string> {
  const session = await makeSession(server)
  await session('PATCH', `/workspaces/${server.workspace_id}`, { visibility: 'public' })
  const api = makeApi(server)
  const { id } = await api.createChannel('Deployments')
  await pushMany(api, id, CARDS)
  await pushShowcase(api, id)
  return id
}
