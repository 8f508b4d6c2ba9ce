// The web app's requests that everybody makes, signed in or not. They are part of the first script, so the owner's
// requests are elsewhere (owner-client.ts). A request that fails throws a `ChannelFeedError`.
import { ChannelFeedError } from '../../client/errors.ts'
import { connectionLost, readJson, send } from '../../client/http.ts'
import type { CardPage, ChannelView } from '../../shared/channel-view.ts'
import type { DeliveryStatus } from '../../shared/delivery.ts'
import type { FirstCards } from '../../shared/first-cards.ts'
import type { CreateInteractionBody } from '../../shared/interaction.ts'
import type { SignedIn, SignInBody, SignUpBody, User } from '../../shared/user.ts'
import type { WorkspacePage } from '../../shared/workspace-live.ts'

export const TIMEOUT_MS = 15_000

const service = { url: '/api', timeout: TIMEOUT_MS }

export type FetchedPage = CardPage & { etag: string | null }

export function fetchView(channelId: string): Promise<ChannelView> {
  return get(`/channels/${channelId}/view`)
}

/** The channel's newest cards, enough for a screen: they arrive sooner than its document. */
export function fetchFirstCards(channelId: string): Promise<FirstCards> {
  return get(`/channels/${channelId}/first-cards`)
}

/** The channel's document as one Yjs update; the socket sends what comes after it. */
export async function fetchDocument(channelId: string): Promise<Uint8Array> {
  const response = await send(service, 'GET', `/channels/${channelId}/document`)
  return new Uint8Array(await response.arrayBuffer().catch(connectionLost))
}

/** A page of a channel, or null if `etag` still names its present state. */
export async function fetchPage(
  channelId: string,
  page: number,
  etag: string | null,
): Promise<FetchedPage | null> {
  const headers: Record<string, string> = etag === null ? {} : { 'If-None-Match': etag }
  const response = await send(service, 'GET', `/channels/${channelId}/pages/${page}`, { headers })
  if (response.status === 304) return null
  return { ...(await readJson<CardPage>(response)), etag: response.headers.get('ETag') }
}

export function fetchWorkspacePage(slug: string): Promise<WorkspacePage> {
  return get(`/workspaces/by-slug/${encodeURIComponent(slug)}`)
}

/** Opens a protected workspace, named by a channel in it or by its slug. */
export async function unlock(
  workspace: { channel_id: string } | { slug: string },
  password: string,
): Promise<void> {
  await post('/channel-unlock', { ...workspace, password })
}

/** The server deduplicates by `interaction_id`: it delivers an interaction that is sent again only once. */
export async function sendInteraction(channelId: string, body: CreateInteractionBody): Promise<void> {
  // Without the body the response may be a gateway's, and the interaction lost.
  await readJson(await post(interactionsPath(channelId), body))
}

export function fetchDeliveryStatus(channelId: string, interactionId: string): Promise<DeliveryStatus> {
  return get(`${interactionsPath(channelId)}/${interactionId}/delivery`)
}

/** Only the owner may. */
export async function redeliver(channelId: string, interactionId: string): Promise<void> {
  await post(`${interactionsPath(channelId)}/${interactionId}/redeliver`, {})
}

/** The user who is signed in, or null. */
export async function fetchUser(): Promise<User | null> {
  try {
    return (await get<SignedIn>('/auth/get-session')).user
  } catch (error) {
    if (error instanceof ChannelFeedError && error.status === 401) return null
    throw error
  }
}

export async function signIn(body: SignInBody): Promise<User> {
  return (await readJson<SignedIn>(await post('/auth/sign-in/email', body))).user
}

export async function signUp(body: SignUpBody): Promise<User> {
  return (await readJson<SignedIn>(await post('/auth/sign-up/email', body))).user
}

export async function signOut(): Promise<void> {
  await post('/auth/sign-out', {})
}

const interactionsPath = (channelId: string) => `/channels/${channelId}/interactions`

async function get<T>(path: string): Promise<T> {
  return readJson(await send(service, 'GET', path))
}

function post(path: string, body: object): Promise<Response> {
  return send(service, 'POST', path, { body })
}
