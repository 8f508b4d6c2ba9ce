// Every request the app makes. An answer that is not 2xx throws `Refused`, no answer at all throws `Unreachable`.
import type { PlacedCard } from '../../shared/card.ts'
import type { ChannelHead, Visibility } from '../../shared/channel.ts'
import type { FirstCards } from '../../shared/first-cards.ts'
import type { Person } from '../../shared/interaction.ts'
import type { WorkspacePage } from '../../shared/workspace-live.ts'
import { Refused, Unreachable } from '../lib/request-errors.ts'

export type User = { id: string; email: string; name: string }
export type ViewedChannel = ChannelHead & { id: string; workspace_id: string; visibility: Visibility }
/** `you`: who the viewer acts as; copies kept by an older version lack it. */
export type ChannelView = { channel: ViewedChannel; can_edit: boolean; you?: Person }
export type PageAnswer = { page: number; version: number; cards: PlacedCard[] }
export type FetchedPage = PageAnswer & { etag: string | null }

export async function fetchView(channelId: string): Promise<ChannelView> {
  return readJson(await send(`/api/channels/${channelId}/view`))
}

/** A screen full of the channel's newest cards, sooner than its document. */
export async function fetchFirstCards(channelId: string): Promise<FirstCards> {
  return readJson(await send(`/api/channels/${channelId}/first-cards`))
}

/** The channel's document as one Yjs update: the socket brings what comes after it. */
export async function fetchDocument(channelId: string): Promise<Uint8Array> {
  const response = await send(`/api/channels/${channelId}/document`)
  return new Uint8Array(await response.arrayBuffer().catch(brokeOff))
}

/** A page of a channel, or null where `etag` still names its present state. */
export async function fetchPage(
  channelId: string,
  page: number,
  etag: string | null,
): Promise<FetchedPage | null> {
  const headers: Record<string, string> = etag === null ? {} : { 'If-None-Match': etag }
  const response = await send(`/api/channels/${channelId}/pages/${page}`, { headers })
  if (response.status === 304) return null
  const answer = await readJson<PageAnswer>(response)
  return { ...answer, etag: response.headers.get('ETag') }
}

/** Who is signed in, or null. */
export async function fetchUser(): Promise<User | null> {
  try {
    const { user } = await readJson<{ user: User }>(await send('/api/auth/get-session'))
    return user
  } catch (error) {
    if (error instanceof Refused && error.status === 401) return null
    throw error
  }
}

export async function signIn(body: { email: string; password: string }): Promise<User> {
  const { user } = await readJson<{ user: User }>(await post('/api/auth/sign-in/email', body))
  return user
}

export async function signUp(body: { email: string; password: string; name: string }): Promise<User> {
  const { user } = await readJson<{ user: User }>(await post('/api/auth/sign-up/email', body))
  return user
}

export async function signOut(): Promise<void> {
  await post('/api/auth/sign-out', {})
}

/** Opens a protected workspace, named by a channel in it or by its slug. */
export async function unlock(
  what: { channel_id: string } | { slug: string },
  password: string,
): Promise<void> {
  await post('/api/channel-unlock', { ...what, password })
}

export async function fetchWorkspacePage(slug: string): Promise<WorkspacePage> {
  return readJson(await send(`/api/workspaces/by-slug/${encodeURIComponent(slug)}`))
}

function post(path: string, body: object): Promise<Response> {
  const headers = { 'Content-Type': 'application/json' }
  return send(path, { method: 'POST', headers, body: JSON.stringify(body) })
}

const TIMEOUT_MS = 15_000

export async function send(path: string, init: RequestInit = {}): Promise<Response> {
  const response = await fetch(path, { ...init, signal: AbortSignal.timeout(TIMEOUT_MS) }).catch(() => {
    throw new Unreachable()
  })
  if (response.ok || response.status === 304) return response
  // A gateway in front of a server that restarts answers 502 to 504.
  if (response.status >= 502) throw new Unreachable()
  throw await readRefusal(response)
}

async function readRefusal(response: Response): Promise<Refused> {
  const fallback = { error: `The server answered ${response.status}.` }
  const body: { error: string; workspace_id?: string } = await response.json().catch(() => fallback)
  return new Refused(response.status, body.error, body.workspace_id, retryAfterOf(response))
}

/** Our server sends seconds; a gateway on the way may send a date. */
function retryAfterOf(response: Response): number | undefined {
  const given = response.headers.get('Retry-After') ?? ''
  const ms = /^\d+$/.test(given) ? Number(given) * 1_000 : Date.parse(given) - Date.now()
  return Number.isNaN(ms) ? undefined : Math.max(0, ms)
}

/** An answer that was cut off, or comes from somebody on the way, is none. */
export function readJson<T>(response: Response): Promise<T> {
  return response.json().catch(brokeOff)
}

function brokeOff(): never {
  throw new Unreachable()
}
