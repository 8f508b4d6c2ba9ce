// Requests whose bodies people type. The server's schemas check them first, so both report the same errors.
import type { z } from 'zod'
import { InvalidRequestError } from '../../client/errors.ts'
import type { Once } from '../../client/requester.ts'
import { type CreatedApiKey, createApiKeyBody } from '../../shared/api-key.ts'
import {
  type AttributeSetting,
  type Attributes,
  attributeSettingBody,
  attributesBody,
} from '../../shared/attributes.ts'
import { createCardBody } from '../../shared/card.ts'
import { createChannelBody, patchChannelBody } from '../../shared/channel.ts'
import {
  createHeaderActionBody,
  type HeaderAction,
  patchHeaderActionBody,
} from '../../shared/header-action.ts'
import { type Invalid, validationErrors } from '../../shared/invalid.ts'
import { type CreatedInvite, createInviteBody } from '../../shared/member.ts'
import { patchAccountBody, type SignedIn, type User } from '../../shared/user.ts'
import {
  type CreatedWorkspace,
  createWorkspaceBody,
  type ListedWorkspace,
  patchWorkspaceBody,
} from '../../shared/workspace.ts'
import { api, channelPath, workspacePath } from './owner-requests.ts'

/** Throws the error that the server would return. */
export function check<T extends z.ZodType>(schema: T, body: unknown): asserts body is z.input<T> {
  const [first] = validationErrors(schema, body)
  if (first) throw rejection(first)
}

/** The error that the server would return. */
export const rejection = ({ code, message, field }: Invalid) =>
  new InvalidRequestError(400, message, { code, field: field ?? undefined })

function checked<T extends z.ZodType>(schema: T, body: z.input<T>): z.input<T> {
  check(schema, body)
  return body
}

export const createWorkspace = (body: z.input<typeof createWorkspaceBody>) =>
  api.request<CreatedWorkspace>('POST', '/workspaces', checked(createWorkspaceBody, body))

export const patchWorkspace = (id: string, body: z.input<typeof patchWorkspaceBody>) =>
  api.request<ListedWorkspace>('PATCH', workspacePath(id), checked(patchWorkspaceBody, body))

export const createInvite = (workspaceId: string, body: z.input<typeof createInviteBody>) =>
  api.request<CreatedInvite>('POST', `${workspacePath(workspaceId)}/invites`, checked(createInviteBody, body))

export function putAttributeSetting(id: string, body: z.input<typeof attributeSettingBody>) {
  const path = `${workspacePath(id)}/attribute-settings`
  return api.request<AttributeSetting>('PUT', path, checked(attributeSettingBody, body))
}

export const createChannel = (body: z.input<typeof createChannelBody>, once: Once) =>
  api.createChannel(checked(createChannelBody, body), once)

export const patchChannel = (id: string, body: z.input<typeof patchChannelBody>) =>
  api.channel(id).update(checked(patchChannelBody, body))

/** The empty string clears an attribute. */
export function putAttributes(channelId: string, body: Record<string, string>): Promise<Attributes> {
  check(attributesBody, body)
  return api.channel(channelId).setAttributes(body)
}

export const createAction = (channelId: string, body: z.input<typeof createHeaderActionBody>) =>
  api.channel(channelId).addAction(checked(createHeaderActionBody, body))

export function patchAction(channelId: string, id: string, body: z.input<typeof patchHeaderActionBody>) {
  const path = `${channelPath(channelId)}/actions/${id}`
  return api.request<HeaderAction>('PATCH', path, checked(patchHeaderActionBody, body))
}

export function pushCard(channelId: string, card: unknown, options: Once & { key?: string }) {
  check(createCardBody, card)
  return api.channel(channelId).push(card, options)
}

export const createApiKey = (body: z.input<typeof createApiKeyBody>) =>
  api.request<CreatedApiKey>('POST', '/api-keys', checked(createApiKeyBody, body))

export async function patchAccount(body: z.input<typeof patchAccountBody>): Promise<User> {
  const { user } = await api.request<SignedIn>('PATCH', '/auth/account', checked(patchAccountBody, body))
  return user
}
