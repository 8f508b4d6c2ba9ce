// Every request of the dashboard. What a person entered is checked here with the server's own schemas first, so that a
// refusal has the same words whether it comes from here or from there.
import type { z } from 'zod'
import { type ApiKey, type CreatedApiKey, createApiKeyBody } from '../../shared/api-key.ts'
import {
  type AttributeSetting,
  type Attributes,
  attributeSettingBody,
  attributesBody,
} from '../../shared/attributes.ts'
import {
  type ChannelWithActions,
  type CreatedChannel,
  createChannelBody,
  type ListedChannel,
  patchChannelBody,
} from '../../shared/channel.ts'
import {
  createHeaderActionBody,
  type HeaderAction,
  patchHeaderActionBody,
} from '../../shared/header-action.ts'
import type { Interaction, Person, Trigger } from '../../shared/interaction.ts'
import { refusalOf } from '../../shared/invalid.ts'
import type { ListedSession } from '../../shared/session.ts'
import type { UsageDay } from '../../shared/usage.ts'
import { patchAccountBody } from '../../shared/user.ts'
import {
  createWorkspaceBody,
  patchWorkspaceBody,
  type SlugCheck,
  type Workspace,
} from '../../shared/workspace.ts'
import { readJson, send, type User } from '../data/requests.ts'
import { Refused } from '../lib/request-errors.ts'

export type OwnWorkspace = Omit<Workspace, 'user_id'>

export type ShownChannel = Pick<
  ListedChannel,
  'id' | 'name' | 'description' | 'icon' | 'mode' | 'card_count'
> & {
  attributes: Record<string, string>
}

export type Delivery = {
  id: string
  status: 'pending' | 'success' | 'failed' | 'held'
  response_code: number | null
  attempts: number
  error: string | null
  duration_ms: number | null
  created_at: string
}

/** One attempt whole, as sent and as answered. */
export type DeliveryDetails = Delivery & {
  url: string
  request_headers: Record<string, string> | null
  request_body: string
  response_headers: Record<string, string> | null
  response_body: string | null
}

export type LogTrigger = Trigger | { type: 'test' }
/** Its deliveries, newest attempt first. */
export type LogEntry = Omit<Interaction, 'trigger'> & {
  trigger: LogTrigger
  /** The person who acted, if they have a role in the workspace. */
  user: User | null
  by: Person
  deliveries: Delivery[]
}
export type LogPage = { interactions: LogEntry[]; next_cursor: string | null }
export type LogQuery = { type: string; status: string; cursor: string | null }

export type Meter = { used: number; limit: number | null }
export type Usage = { cards: Meter; channels: Meter; workspaces: Meter; resets_at: string }

export const fetchWorkspaces = () => ask<OwnWorkspace[]>('/api/workspaces')
export const fetchWorkspace = (id: string) => ask<OwnWorkspace>(workspacePath(id))

export function createWorkspace(body: z.input<typeof createWorkspaceBody>): Promise<OwnWorkspace> {
  check(createWorkspaceBody, body)
  return tell('POST', '/api/workspaces', body)
}

export function patchWorkspace(id: string, body: z.input<typeof patchWorkspaceBody>): Promise<OwnWorkspace> {
  check(patchWorkspaceBody, body)
  return tell('PATCH', workspacePath(id), body)
}

export const checkSlug = (id: string, slug: string) =>
  ask<SlugCheck>(`${workspacePath(id)}/slug-check?slug=${encodeURIComponent(slug)}`)

/** The channels as the workspace's own page shows them. */
export async function fetchShownChannels(slug: string): Promise<ShownChannel[]> {
  const path = `/api/workspaces/by-slug/${encodeURIComponent(slug)}`
  return (await ask<{ channels: ShownChannel[] }>(path)).channels
}

export const deleteWorkspace = (id: string) => drop(workspacePath(id))

export const fetchAttributeSettings = (id: string) =>
  ask<AttributeSetting[]>(`${workspacePath(id)}/attribute-settings`)

export function putAttributeSetting(
  id: string,
  body: z.input<typeof attributeSettingBody>,
): Promise<AttributeSetting> {
  check(attributeSettingBody, body)
  return tell('PUT', `${workspacePath(id)}/attribute-settings`, body)
}

export const fetchChannels = (workspaceId: string) =>
  ask<ListedChannel[]>(`/api/channels?workspace_id=${encodeURIComponent(workspaceId)}`)
export const fetchChannel = (id: string) => ask<ChannelWithActions>(channelPath(id))

/** `once`: sent again with the same one, the channel is made once. */
export function createChannel(
  body: z.input<typeof createChannelBody>,
  once: string,
): Promise<CreatedChannel> {
  check(createChannelBody, body)
  return tell('POST', '/api/channels', body, once)
}

export function patchChannel(
  id: string,
  body: z.input<typeof patchChannelBody>,
): Promise<ChannelWithActions> {
  check(patchChannelBody, body)
  return tell('PATCH', channelPath(id), body)
}

export const deleteChannel = (id: string) => drop(channelPath(id))

export const fetchAttributes = (id: string) => ask<Attributes>(`${channelPath(id)}/attributes`)

/** The empty string clears an attribute. */
export function putAttributes(id: string, body: Record<string, string>): Promise<Attributes> {
  check(attributesBody, body)
  return tell('PUT', `${channelPath(id)}/attributes`, body)
}

export function createAction(
  id: string,
  body: z.input<typeof createHeaderActionBody>,
): Promise<HeaderAction> {
  check(createHeaderActionBody, body)
  return tell('POST', `${channelPath(id)}/actions`, body)
}

export function patchAction(
  id: string,
  actionId: string,
  body: z.input<typeof patchHeaderActionBody>,
): Promise<HeaderAction> {
  check(patchHeaderActionBody, body)
  return tell('PATCH', `${channelPath(id)}/actions/${actionId}`, body)
}

/** Brings back an action that was deleted, with its id. */
export function putAction(id: string, { id: actionId, ...body }: HeaderAction): Promise<HeaderAction> {
  return tell('PUT', `${channelPath(id)}/actions/${actionId}`, body)
}

export const orderActions = (id: string, action_ids: string[]) =>
  tell<HeaderAction[]>('PUT', `${channelPath(id)}/actions/order`, { action_ids })

export const deleteAction = (id: string, actionId: string) => drop(`${channelPath(id)}/actions/${actionId}`)

export const fetchSecret = (id: string) => ask<{ secret: string }>(`${channelPath(id)}/webhook-secret`)
export const rotateSecret = (id: string) =>
  tell<{ secret: string }>('POST', `${channelPath(id)}/webhook-secret`, {})
export const sendTest = (id: string) => tell<DeliveryDetails>('POST', `${channelPath(id)}/webhook-test`, {})

const LOG_PAGE = 25

export function fetchLog(id: string, { type, status, cursor }: LogQuery): Promise<LogPage> {
  const query = new URLSearchParams({ limit: String(LOG_PAGE), type, status })
  if (cursor !== null) query.set('cursor', cursor)
  return ask(`${channelPath(id)}/interactions?${query}`)
}

export const fetchDelivery = (id: string, deliveryId: string) =>
  ask<DeliveryDetails>(`${channelPath(id)}/deliveries/${deliveryId}`)

export const redeliver = (id: string, interactionId: string) =>
  tell<Delivery>('POST', `${channelPath(id)}/interactions/${interactionId}/redeliver`, {})

export const fetchApiKeys = () => ask<ApiKey[]>('/api/api-keys')

export function createApiKey(body: z.input<typeof createApiKeyBody>): Promise<CreatedApiKey> {
  check(createApiKeyBody, body)
  return tell('POST', '/api/api-keys', body)
}

export const deleteApiKey = (id: string) => drop(`/api/api-keys/${id}`)

export const fetchUsage = () => ask<Usage>('/api/usage')

/** The last 30 days, the oldest first. */
export async function fetchUsageDays(): Promise<UsageDay[]> {
  const { days } = await ask<{ days: UsageDay[] }>('/api/usage/history')
  return days
}

export async function patchAccount(body: z.input<typeof patchAccountBody>): Promise<User> {
  check(patchAccountBody, body)
  const { user } = await tell<{ user: User }>('PATCH', '/api/auth/account', body)
  return user
}

export const fetchSessions = () => ask<ListedSession[]>('/api/auth/sessions')
export const endSession = (id: string) => drop(`/api/auth/sessions/${id}`)
export const endOtherSessions = () => tell<{ ended: number }>('POST', '/api/auth/sessions/end-others', {})

const workspacePath = (id: string) => `/api/workspaces/${encodeURIComponent(id)}`
const channelPath = (id: string) => `/api/channels/${encodeURIComponent(id)}`

/** Throws what the server would. */
export function check(schema: z.ZodType, body: unknown): void {
  const refusal = refusalOf(schema, body)
  if (refusal !== null) throw new Refused(400, refusal)
}

async function ask<T>(path: string): Promise<T> {
  return readJson(await send(path))
}

async function tell<T>(
  method: 'POST' | 'PATCH' | 'PUT',
  path: string,
  body: object,
  once?: string,
): Promise<T> {
  const headers = { 'Content-Type': 'application/json', ...(once && { 'Idempotency-Key': once }) }
  return readJson(await send(path, { method, headers, body: JSON.stringify(body) }))
}

/** What is gone already is gone: it was deleted elsewhere, or the answer to a first try was lost. */
async function drop(path: string): Promise<void> {
  await send(path, { method: 'DELETE' }).catch(error => {
    if (!(error instanceof Refused && error.status === 404)) throw error
  })
}
