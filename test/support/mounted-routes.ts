// The API routes that a service serves, and values for their parameters.
import { ask, question } from './decisions.ts'
import { settledLog } from './deliveries.ts'
import type { Scene } from './scene.ts'
import type { TestService } from './service.ts'

/** Each route of the API once, as in the router: `/api/channels/:channelId`. */
export function mountedRoutes({ routes }: TestService): { method: string; path: string }[] {
  const api = routes.filter(({ method, path }) => method !== 'ALL' && path.startsWith('/api/'))
  return [...new Map(api.map(({ method, path }) => [`${method} ${path}`, { method, path }])).values()]
}

/** Throws if a parameter has no value. */
export const fillPath = (path: string, values: Record<string, string>) =>
  path.replace(/:(\w+)/g, (_, name: string) => {
    const value = values[name]
    if (value === undefined) throw new Error(`:${name} of ${path} has no value`)
    return value
  })

/** A value for each parameter of a GET route. The scene needs a delivery; it gets cards that ask, one with the key `k`. */
export async function parametersOf(scene: Scene): Promise<Record<string, string>> {
  const { account, channel_id } = scene
  const { workspace_id, slug } = account
  const [entry] = await settledLog(scene)
  const { id: decision_id, card_id } = await ask(account.key, channel_id)
  await account.key('PUT', `/channels/${channel_id}/cards/by-key/k`, { blocks: question() })
  return {
    channelId: channel_id,
    cardId: card_id,
    key: 'k',
    decisionId: decision_id,
    page: '0',
    interactionId: entry?.interaction_id ?? '',
    deliveryId: entry?.deliveries[0]?.id ?? '',
    id: workspace_id,
    slug,
  }
}
