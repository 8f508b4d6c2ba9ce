// Requests whose bodies people type. The server's schemas check them first, so both report the same errors.
import type { z } from 'zod'
import { InvalidRequestError } from '../../client/errors.ts'
import { type Once, request } from '../../client/http.ts'
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
  type CreatedHeaderAction,
  createHeaderActionBody,
  type HeaderAction,
  patchHeaderActionBody,
} from '../../shared/header-action.ts'
import { validationError } from '../../shared/invalid.ts'
import { patchAccountBody, type SignedIn, type User } from '../../shared/user.ts'
import {
  type CreatedWorkspace,
  createWorkspaceBody,
  type ListedWorkspace,
  patchWorkspaceBody,
} from '../../shared/workspace.ts'
import { channelPath, workspacePath } from './owner-requests.ts'

/** Throws the error that the server would return. */
export function check<T extends z.ZodType>(schema: T, body: unknown): asserts body is z.input<T> {
  const message = validationError(schema, body)
  if (message !== null) throw new InvalidRequestError(400, message)
}

function checked<T extends z.ZodType>(schema: T, body: z.input<T>): z.input<T> {
  check(schema, body)
  return body
}

export const createWorkspace = (body: z.input<typeof createWorkspaceBody>) =>
  request<CreatedWorkspace>('POST', '/workspaces', checked(createWorkspaceBody, body))

export const patchWorkspace = (id: string, body: z.input<typeof patchWorkspaceBody>) =>
  request<ListedWorkspace>('PATCH', workspacePath(id), checked(patchWorkspaceBody, body))

export function putAttributeSetting(id: string, body: z.input<typeof attributeSettingBody>) {
  const path = `${workspacePath(id)}/attribute-settings`
  return request<AttributeSetting>('PUT', path, checked(attributeSettingBody, body))
}

export const createChannel = (body: z.input<typeof createChannelBody>, once: Once) =>
  request<CreatedChannel>('POST', '/channels', checked(createChannelBody, body), once)

export const patchChannel = (id: string, body: z.input<typeof patchChannelBody>) =>
  request<ChannelWithActions>('PATCH', channelPath(id), checked(patchChannelBody, body))

/** The empty string clears an attribute. */
export const putAttributes = (channelId: string, body: Record<string, string>) =>
  request<Attributes>('PUT', `${channelPath(channelId)}/attributes`, checked(attributesBody, body))

export function createAction(channelId: string, body: z.input<typeof createHeaderActionBody>) {
  const path = `${channelPath(channelId)}/actions`
  return request<CreatedHeaderAction>('POST', path, checked(createHeaderActionBody, body))
}

export function patchAction(channelId: string, id: string, body: z.input<typeof patchHeaderActionBody>) {
  const path = `${channelPath(channelId)}/actions/${id}`
  return request<HeaderAction>('PATCH', path, checked(patchHeaderActionBody, body))
}

export function createCard(channelId: string, card: unknown, once: Once) {
  check(createCardBody, card)
  return request<CreatedCard>('POST', `${channelPath(channelId)}/cards`, card, once)
}

/** Replaces the card with the `key`, if there is one. */
export function putCard(channelId: string, key: string, card: unknown) {
  check(createCardBody, card)
  const path = `${channelPath(channelId)}/cards/by-key/${encodeURIComponent(key)}`
  return request<CreatedCard | PatchedCard>('PUT', path, card)
}

export const createApiKey = (body: z.input<typeof createApiKeyBody>) =>
  request<CreatedApiKey>('POST', '/api-keys', checked(createApiKeyBody, body))

export async function patchAccount(body: z.input<typeof patchAccountBody>): Promise<User> {
  const { user } = await request<SignedIn>('PATCH', '/auth/account', checked(patchAccountBody, body))
  return user
}
