// Requests of a signed-in user, except those whose bodies people type (checked-requests.ts).
import { NotFoundError } from '../../client/errors.ts'
import { ServiceRequests } from '../../client/service-requests.ts'
import type { ApiKey } from '../../shared/api-key.ts'
import type { AttributeSetting } from '../../shared/attributes.ts'
import type { SummarizedChannel } from '../../shared/channel.ts'
import type { FullDecisionList } from '../../shared/decision.ts'
import type { DeliveryDetails, WebhookSecret } from '../../shared/delivery.ts'
import type { HeaderAction } from '../../shared/header-action.ts'
import type { InteractionLog } from '../../shared/interaction-log.ts'
import type { Invite, InvitePreview, Joined, Member, WorkspaceKey } from '../../shared/member.ts'
import type { MemberRole } from '../../shared/role.ts'
import type { EndedSessions, ListedSession } from '../../shared/session.ts'
import type { Usage, UsageHistory } from '../../shared/usage.ts'
import type { ListedWorkspace, SlugCheck } from '../../shared/workspace.ts'
import { TIMEOUT_MS } from './viewer-requests.ts'

export const api = new ServiceRequests({ url: '', timeout: TIMEOUT_MS, retries: 0 })

export const fetchWorkspace = (id: string) => api.request<ListedWorkspace>('GET', workspacePath(id))

export const deleteWorkspace = (id: string) => ignoreMissing(api.request('DELETE', workspacePath(id)))

export const checkSlug = (id: string, slug: string) =>
  api.request<SlugCheck>('GET', `${workspacePath(id)}/slug-check?slug=${encodeURIComponent(slug)}`)

export const fetchAttributeSettings = (id: string) =>
  api.request<AttributeSetting[]>('GET', `${workspacePath(id)}/attribute-settings`)

/** The owner and editors run a workspace. Members and viewers only open its page. */
export const canRun = ({ role }: Pick<ListedWorkspace, 'role'>) => role !== 'member' && role !== 'viewer'

/** `own`: the workspaces that the person runs, with their channels. `others`: those that the person only opens. */
export async function fetchWorkspaces() {
  const all = await api.workspaces()
  const own = await Promise.all(
    all.filter(canRun).map(async workspace => ({ workspace, channels: await fetchChannels(workspace.id) })),
  )
  return { own, others: all.filter(workspace => !canRun(workspace)) }
}

export const fetchOwnChannels = async () => (await fetchWorkspaces()).own

export const fetchChannels = (workspaceId: string) =>
  api.request<SummarizedChannel[]>('GET', `/channels?workspace_id=${encodeURIComponent(workspaceId)}`)

export const deleteCard = (channelId: string, cardId: string) =>
  ignoreMissing(api.request('DELETE', `${channelPath(channelId)}/cards/${encodeURIComponent(cardId)}`))

export const deleteChannel = (id: string) => ignoreMissing(api.channel(id).delete())

export const orderActions = (channelId: string, action_ids: string[]) =>
  api.request<HeaderAction[]>('PUT', `${channelPath(channelId)}/actions/order`, { action_ids })

export const deleteAction = (channelId: string, actionId: string) =>
  ignoreMissing(api.request('DELETE', `${channelPath(channelId)}/actions/${actionId}`))

export const fetchWebhookSecret = (channelId: string) =>
  api.request<WebhookSecret>('GET', `${channelPath(channelId)}/webhook-secret`)
export const rotateWebhookSecret = (channelId: string) =>
  api.request<WebhookSecret>('POST', `${channelPath(channelId)}/webhook-secret`, {})
export const sendTest = (channelId: string) =>
  api.request<DeliveryDetails>('POST', `${channelPath(channelId)}/webhook-test`, {})

const INTERACTIONS_PER_REQUEST = 25

/** All are empty without a choice. `from` and `to` are times; `search` is found in what people did and in their names. */
export type InteractionQuery = Record<'type' | 'status' | 'search' | 'from' | 'to', string>

export function fetchInteractions(channelId: string, query: InteractionQuery & { cursor: string | null }) {
  const { cursor, ...filter } = query
  const params = new URLSearchParams({ limit: String(INTERACTIONS_PER_REQUEST), ...filter })
  if (cursor !== null) params.set('cursor', cursor)
  return api.request<InteractionLog>('GET', `${channelPath(channelId)}/interactions?${params}`)
}

export const fetchDelivery = (channelId: string, deliveryId: string) =>
  api.request<DeliveryDetails>('GET', `${channelPath(channelId)}/deliveries/${deliveryId}`)

export const previewInvite = (token: string) =>
  api.request<InvitePreview>('POST', '/invites/preview', { token })
export const acceptInvite = (token: string) => api.request<Joined>('POST', '/invites/accept', { token })

const memberPath = (workspaceId: string, userId: string) => `${workspacePath(workspaceId)}/members/${userId}`

export const fetchMembers = (workspaceId: string) =>
  api.request<Member[]>('GET', `${workspacePath(workspaceId)}/members`)
export const setRole = (workspaceId: string, userId: string, role: MemberRole) =>
  api.request<Member>('PATCH', memberPath(workspaceId, userId), { role })
/** `me` stands for the signed-in person. */
export const removeMember = (workspaceId: string, userId: string) =>
  ignoreMissing(api.request('DELETE', memberPath(workspaceId, userId)))
export const transferWorkspace = (workspaceId: string, user_id: string) =>
  api.request('POST', `${workspacePath(workspaceId)}/transfer`, { user_id })

export const fetchInvites = (workspaceId: string) =>
  api.request<Invite[]>('GET', `${workspacePath(workspaceId)}/invites`)
export const endInvite = (workspaceId: string, inviteId: string) =>
  ignoreMissing(api.request('DELETE', `${workspacePath(workspaceId)}/invites/${inviteId}`))

/** The keys that are confined to the workspace, of all its people. */
export const fetchWorkspaceKeys = (workspaceId: string) =>
  api.request<WorkspaceKey[]>('GET', `${workspacePath(workspaceId)}/api-keys`)

const DECISIONS_PER_REQUEST = 200

/** The newest questions of a channel that wait. */
export async function fetchWaitingDecisions(channelId: string) {
  const params = `state=waiting&limit=${DECISIONS_PER_REQUEST}`
  const { decisions } = await api.request<FullDecisionList>(
    'GET',
    `${channelPath(channelId)}/decisions?${params}`,
  )
  return decisions
}

export const fetchApiKeys = () => api.request<ApiKey[]>('GET', '/api-keys')
export const deleteApiKey = (id: string) => ignoreMissing(api.request('DELETE', `/api-keys/${id}`))

/** With a workspace, the cards and channels are those of its owner. */
export const fetchUsage = (workspaceId?: string) =>
  api.request<Usage>('GET', workspaceId === undefined ? '/usage' : `/usage?workspace_id=${workspaceId}`)

export const fetchUsageHistory = (days: number) =>
  api.request<UsageHistory>('GET', `/usage/history?days=${days}`)

export const fetchSessions = () => api.request<ListedSession[]>('GET', '/auth/sessions')
export const endSession = (id: string) => ignoreMissing(api.request('DELETE', `/auth/sessions/${id}`))
export const endOtherSessions = () => api.request<EndedSessions>('POST', '/auth/sessions/end-others', {})

/** Encoded, because the ids of workspaces and channels come from the page's address. */
export const workspacePath = (id: string) => `/workspaces/${encodeURIComponent(id)}`
export const channelPath = (id: string) => `/channels/${encodeURIComponent(id)}`

/** A 404 counts as deleted: someone else deleted it, or the response to an earlier request was lost. */
async function ignoreMissing(deletion: Promise<void>): Promise<void> {
  await deletion.catch(error => {
    if (!(error instanceof NotFoundError)) throw error
  })
}
