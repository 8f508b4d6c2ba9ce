// Requests whose bodies people type. They are checked with the server's schemas first, so that an error reads the same
// whether the browser or the server finds it.
import type { z } from 'zod'
import type { Once } from '../../client/channel-feed.ts'
import { InvalidRequestError } from '../../client/errors.ts'
import { type CreatedApiKey, createApiKeyBody } from '../../shared/api-key.ts'
import {
  type AttributeSetting,
  type Attributes,
  attributeSettingBody,
  attributesBody,
} from '../../shared/attributes.ts'
import { type CreatedCard, createCardBody, type PatchedCard } from '../../shared/card.ts'
import {
  type ChannelWithActions,
  type CreatedChannel,
  createChannelBody,
  patchChannelBody,
} from '../../shared/channel.ts'
import {
  createHeaderActionBody,
  type HeaderAction,
  patchHeaderActionBody,
} from '../../shared/header-action.ts'
import { refusalOf } from '../../shared/invalid.ts'
import { patchAccountBody, type SignedIn, type User } from '../../shared/user.ts'
import {
  type CreatedWorkspace,
  createWorkspaceBody,
  type ListedWorkspace,
  patchWorkspaceBody,
} from '../../shared/workspace.ts'
import { api, workspacePath } from './owner-client.ts'

/** Throws the error that the server would return. */
export function check<T extends z.ZodType>(schema: T, body: unknown): asserts body is z.input<T> {
  const message = refusalOf(schema, body)
  if (message !== null) throw new InvalidRequestError(400, message)
}

export async function createWorkspace(body: z.input<typeof createWorkspaceBody>): Promise<CreatedWorkspace> {
  check(createWorkspaceBody, body)
  return api.request('POST', '/workspaces', body)
}

export async function patchWorkspace(
  id: string,
  body: z.input<typeof patchWorkspaceBody>,
): Promise<ListedWorkspace> {
  check(patchWorkspaceBody, body)
  return api.request('PATCH', workspacePath(id), body)
}

export async function putAttributeSetting(
  workspaceId: string,
  body: z.input<typeof attributeSettingBody>,
): Promise<AttributeSetting> {
  check(attributeSettingBody, body)
  return api.request('PUT', `${workspacePath(workspaceId)}/attribute-settings`, body)
}

export async function createChannel(
  body: z.input<typeof createChannelBody>,
  once: Once,
): Promise<CreatedChannel> {
  check(createChannelBody, body)
  return api.createChannel(body, once)
}

export async function patchChannel(
  id: string,
  body: z.input<typeof patchChannelBody>,
): Promise<ChannelWithActions> {
  check(patchChannelBody, body)
  return api.channel(id).update(body)
}

/** The empty string clears an attribute. */
export async function putAttributes(channelId: string, body: Record<string, string>): Promise<Attributes> {
  check(attributesBody, body)
  return api.channel(channelId).setAttributes(body)
}

export async function createAction(
  channelId: string,
  body: z.input<typeof createHeaderActionBody>,
): Promise<HeaderAction> {
  check(createHeaderActionBody, body)
  return api.channel(channelId).addAction(body)
}

export async function patchAction(
  channelId: string,
  actionId: string,
  body: z.input<typeof patchHeaderActionBody>,
): Promise<HeaderAction> {
  check(patchHeaderActionBody, body)
  return api.channel(channelId).updateAction(actionId, body)
}

/** With a `key`, the card that the channel already has under it is replaced. */
export async function pushCard(
  channelId: string,
  card: unknown,
  options: Once & { key?: string },
): Promise<CreatedCard | PatchedCard> {
  check(createCardBody, card)
  return api.channel(channelId).push(card, options)
}

export async function createApiKey(body: z.input<typeof createApiKeyBody>): Promise<CreatedApiKey> {
  check(createApiKeyBody, body)
  return api.request('POST', '/api-keys', body)
}

export async function patchAccount(body: z.input<typeof patchAccountBody>): Promise<User> {
  check(patchAccountBody, body)
  const { user } = await api.request<SignedIn>('PATCH', '/auth/account', body)
  return user
}
