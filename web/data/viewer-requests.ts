// Requests that every viewer makes, so they are in the first script. A failed one throws a `ChannelFeedError`.
import { ChannelFeedError } from '../../client/errors.ts'
import { connectionLost, readJson, send } from '../../client/http.ts'
import type { CardPage, ChannelView, WaitingCards } from '../../shared/channel-view.ts'
import type { DeliveryStatus } from '../../shared/delivery.ts'
import type { FirstCards } from '../../shared/first-cards.ts'
import type { CreateInteractionBody, Pressed } from '../../shared/interaction.ts'
import type { Looks } from '../../shared/looks.ts'
import type { SignedIn, User } from '../../shared/user.ts'
import type { ViewedWorkspace } from '../../shared/workspace-live.ts'
import { noteServerDate } from '../lib/server-clock.ts'

export const TIMEOUT_MS = 15_000

const service = { url: '/api', timeout: TIMEOUT_MS, onResponse: noteServerDate }

export type FetchedPage = CardPage & { etag: string | null }

export const fetchView = (channelId: string) => get<ChannelView>(`/channels/${channelId}/view`)

export const fetchWaiting = (channelId: string) => get<WaitingCards>(`/channels/${channelId}/waiting`)

export const fetchLooks = (channelId: string) => get<Looks>(`/channels/${channelId}/looks`)

export const fetchFirstCards = (channelId: string) => get<FirstCards>(`/channels/${channelId}/first-cards`)

/** The document as one Yjs update. Returns null if it still has this ETag. */
export async function fetchDocument(
  channelId: string,
  etag: string | null = null,
): Promise<{ update: Uint8Array; etag: string | null } | null> {
  const response = await getIfChanged(`/channels/${channelId}/document`, etag)
  if (response.status === 304) return null
  const update = new Uint8Array(await response.arrayBuffer().catch(connectionLost))
  return { update, etag: response.headers.get('ETag') }
}

/** Returns null if the page still has this ETag. */
export async function fetchPage(
  channelId: string,
  page: number,
  etag: string | null,
): Promise<FetchedPage | null> {
  const response = await getIfChanged(`/channels/${channelId}/pages/${page}`, etag)
  if (response.status === 304) return null
  return { ...(await readJson<CardPage>(response)), etag: response.headers.get('ETag') }
}

const workspacePath = (slug: string) => `/workspaces/by-slug/${encodeURIComponent(slug)}`

export const fetchWorkspacePage = (slug: string) => get<ViewedWorkspace>(workspacePath(slug))

/** Returns null if the page still has this ETag. */
export async function fetchChangedWorkspacePage(
  slug: string,
  etag: string | null,
): Promise<{ page: ViewedWorkspace; etag: string | null } | null> {
  const response = await getIfChanged(workspacePath(slug), etag)
  if (response.status === 304) return null
  return { page: await readJson<ViewedWorkspace>(response), etag: response.headers.get('ETag') }
}

export const unlock = (workspace: { channel_id: string } | { slug: string }, password: string) =>
  post('/channel-unlock', { ...workspace, password })

/** Can be repeated: the server deduplicates by `interaction_id`. */
export async function sendInteraction(channelId: string, body: CreateInteractionBody): Promise<Pressed> {
  // Without the body the response may be a gateway's, and the interaction lost.
  return readJson<Pressed>(await post(interactionsPath(channelId), body))
}

export const fetchDeliveryStatus = (channelId: string, interactionId: string) =>
  get<DeliveryStatus>(`${interactionsPath(channelId)}/${interactionId}/delivery`)

export const redeliver = (channelId: string, interactionId: string) =>
  post(`${interactionsPath(channelId)}/${interactionId}/redeliver`, {})

export async function fetchUser(): Promise<User | null> {
  try {
    return (await get<SignedIn>('/auth/get-session')).user
  } catch (error) {
    if (error instanceof ChannelFeedError && error.status === 401) return null
    throw error
  }
}

export const signOut = () => post('/auth/sign-out', {})

const interactionsPath = (channelId: string) => `/channels/${channelId}/interactions`

/** The response is a 304 without a body if the server's answer still has this ETag. */
const getIfChanged = (path: string, etag: string | null) =>
  send(service, 'GET', path, etag === null ? {} : { headers: { 'If-None-Match': etag } })

export const get = async <T>(path: string) => readJson<T>(await send(service, 'GET', path))

export const post = (path: string, body: object) => send(service, 'POST', path, { body })
