// Requests of a signed-in user, except those whose bodies people type (checked-requests.ts).
import { NotFoundError } from '../../client/errors.ts'
import { type Once, request } from '../../client/http.ts'
import type { ApiKey } from '../../shared/api-key.ts'
import type { AttributeSetting, Attributes } from '../../shared/attributes.ts'
import type { Card, CardList, PatchCardBody, PatchedCard } from '../../shared/card.ts'
import type { ChannelWithActions, ListedChannel } from '../../shared/channel.ts'
import type { DeliveryDetails, WebhookSecret } from '../../shared/delivery.ts'
import type { HeaderAction } from '../../shared/header-action.ts'
import type { InteractionLog } from '../../shared/interaction-log.ts'
import type { EndedSessions, ListedSession } from '../../shared/session.ts'
import type { Usage, UsageDay, UsageHistory } from '../../shared/usage.ts'
import type { ListedWorkspace, SlugCheck } from '../../shared/workspace.ts'

export const fetchWorkspaces = () => request<ListedWorkspace[]>('GET', '/workspaces')
export const fetchWorkspace = (id: string) => request<ListedWorkspace>('GET', workspacePath(id))

export const deleteWorkspace = (id: string) => ignoreMissing(request('DELETE', workspacePath(id)))

export const checkSlug = (id: string, slug: string) =>
  request<SlugCheck>('GET', `${workspacePath(id)}/slug-check?slug=${encodeURIComponent(slug)}`)

export const fetchAttributeSettings = (id: string) =>
  request<AttributeSetting[]>('GET', `${workspacePath(id)}/attribute-settings`)

export async function fetchChannelsByWorkspace() {
  const workspaces = await fetchWorkspaces()
  return Promise.all(
    workspaces.map(async workspace => ({ workspace, channels: await fetchChannels(workspace.id) })),
  )
}

export const fetchChannels = (workspaceId: string) =>
  request<ListedChannel[]>('GET', `/channels?workspace_id=${encodeURIComponent(workspaceId)}`)
export const fetchChannel = (id: string) => request<ChannelWithActions>('GET', channelPath(id))
export const deleteChannel = (id: string) => ignoreMissing(request('DELETE', channelPath(id)))

export const fetchAttributes = (channelId: string) =>
  request<Attributes>('GET', `${channelPath(channelId)}/attributes`)

export async function fetchNewestCards(channelId: string, limit: number): Promise<Card[]> {
  const { cards } = await request<CardList>('GET', `${channelPath(channelId)}/cards?limit=${limit}`)
  return cards
}

export const fetchCard = (channelId: string, id: string) =>
  request<Card>('GET', `${channelPath(channelId)}/cards/${encodeURIComponent(id)}`)

export const patchCard = ({ channel_id, id }: Card, body: PatchCardBody, once: Once) =>
  request<PatchedCard>('PATCH', `${channelPath(channel_id)}/cards/${encodeURIComponent(id)}`, body, once)

/** Undoes a deletion: the header action gets its old id. */
export const putAction = (channelId: string, { id, ...body }: HeaderAction) =>
  request<HeaderAction>('PUT', `${channelPath(channelId)}/actions/${id}`, body)

export const orderActions = (channelId: string, action_ids: string[]) =>
  request<HeaderAction[]>('PUT', `${channelPath(channelId)}/actions/order`, { action_ids })

export const deleteAction = (channelId: string, actionId: string) =>
  ignoreMissing(request('DELETE', `${channelPath(channelId)}/actions/${actionId}`))

export const fetchWebhookSecret = (channelId: string) =>
  request<WebhookSecret>('GET', `${channelPath(channelId)}/webhook-secret`)
export const rotateWebhookSecret = (channelId: string) =>
  request<WebhookSecret>('POST', `${channelPath(channelId)}/webhook-secret`, {})
export const sendTest = (channelId: string) =>
  request<DeliveryDetails>('POST', `${channelPath(channelId)}/webhook-test`, {})

const INTERACTIONS_PER_REQUEST = 25

/** Empty strings don't filter; a null cursor starts at the newest interaction. */
export type InteractionQuery = { type: string; status: string; cursor: string | null }

export function fetchInteractions(channelId: string, { type, status, cursor }: InteractionQuery) {
  const query = new URLSearchParams({ limit: String(INTERACTIONS_PER_REQUEST), type, status })
  if (cursor !== null) query.set('cursor', cursor)
  return request<InteractionLog>('GET', `${channelPath(channelId)}/interactions?${query}`)
}

export const fetchDelivery = (channelId: string, deliveryId: string) =>
  request<DeliveryDetails>('GET', `${channelPath(channelId)}/deliveries/${deliveryId}`)

export const fetchApiKeys = () => request<ApiKey[]>('GET', '/api-keys')
export const deleteApiKey = (id: string) => ignoreMissing(request('DELETE', `/api-keys/${id}`))

export const fetchUsage = () => request<Usage>('GET', '/usage')

export async function fetchUsageDays(): Promise<UsageDay[]> {
  const { days } = await request<UsageHistory>('GET', '/usage/history')
  return days
}

export const fetchSessions = () => request<ListedSession[]>('GET', '/auth/sessions')
export const endSession = (id: string) => ignoreMissing(request('DELETE', `/auth/sessions/${id}`))
export const endOtherSessions = () => request<EndedSessions>('POST', '/auth/sessions/end-others', {})

/** Encoded, because the ids of workspaces and channels come from the page's address. */
export const workspacePath = (id: string) => `/workspaces/${encodeURIComponent(id)}`
export const channelPath = (id: string) => `/channels/${encodeURIComponent(id)}`

/** A 404 counts as deleted: someone else deleted it, or the response to an earlier request was lost. */
async function ignoreMissing(deletion: Promise<void>): Promise<void> {
  await deletion.catch(error => {
    if (!(error instanceof NotFoundError)) throw error
  })
}
