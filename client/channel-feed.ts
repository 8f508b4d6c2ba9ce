// The client for automations and for the dashboard. Types come from the schemas in shared/.
import type { z } from 'zod'
import type { Attributes } from '../shared/attributes.ts'
import type {
  Card,
  CardList,
  CreatedCard,
  createCardBody,
  PatchCardBody,
  PatchedCard,
} from '../shared/card.ts'
import type {
  ChannelWithActions,
  CreatedChannel,
  createChannelBody,
  ListedChannel,
  patchChannelBody,
} from '../shared/channel.ts'
import type { CreatedHeaderAction, createHeaderActionBody } from '../shared/header-action.ts'
import type { ListedWorkspace } from '../shared/workspace.ts'
import { type Endpoint, type Method, readJson, send } from './http.ts'

export type ChannelFeedOptions = {
  /** The service's address; empty for the page's own site. */
  url: string
  /** An API key. Without one, the browser's session and the dashboard's API are used. */
  key?: string
  /** Per request, in ms. */
  timeout?: number
}

/** Requests with the same key take effect once. */
export type Once = { idempotency_key?: string }

export type NewCard = z.input<typeof createCardBody>

export class ChannelFeed {
  readonly #service: Endpoint

  constructor({ url, key, timeout = 30_000 }: ChannelFeedOptions) {
    this.#service = key
      ? { url: `${url}/api/v1`, headers: { Authorization: `Bearer ${key}` }, timeout }
      : { url: `${url}/api`, timeout }
  }

  /** For operations without a method. */
  async request<T>(method: Method, path: string, body?: unknown, { idempotency_key }: Once = {}): Promise<T> {
    const headers = idempotency_key ? { 'Idempotency-Key': idempotency_key } : undefined
    return readJson(await send(this.#service, method, path, { body, headers }))
  }

  workspaces(): Promise<ListedWorkspace[]> {
    return this.request('GET', '/workspaces')
  }

  channels(workspaceId: string): Promise<ListedChannel[]> {
    return this.request('GET', `/channels?workspace_id=${encodeURIComponent(workspaceId)}`)
  }

  createChannel(body: z.input<typeof createChannelBody>, once?: Once): Promise<CreatedChannel> {
    return this.request('POST', '/channels', body, once)
  }

  channel(id: string): ChannelHandle {
    return new ChannelHandle(this, `/channels/${encodeURIComponent(id)}`)
  }
}

export class ChannelHandle {
  readonly #request: <T>(method: Method, path: string, body?: unknown, once?: Once) => Promise<T>

  constructor(client: ChannelFeed, path: string) {
    this.#request = (method, rest, body, once) => client.request(method, path + rest, body, once)
  }

  get(): Promise<ChannelWithActions> {
    return this.#request('GET', '')
  }

  update(body: z.input<typeof patchChannelBody>): Promise<ChannelWithActions> {
    return this.#request('PATCH', '', body)
  }

  delete(): Promise<void> {
    return this.#request('DELETE', '')
  }

  attributes(): Promise<Attributes> {
    return this.#request('GET', '/attributes')
  }

  setAttributes(body: Record<string, string>): Promise<Attributes> {
    return this.#request('PUT', '/attributes', body)
  }

  addAction(body: z.input<typeof createHeaderActionBody>): Promise<CreatedHeaderAction> {
    return this.#request('POST', '/actions', body)
  }

  async cards({ limit }: { limit: number }): Promise<Card[]> {
    return (await this.#request<CardList>('GET', `/cards?limit=${limit}`)).cards
  }

  card(id: string): Promise<Card> {
    return this.#request('GET', `/cards/${encodeURIComponent(id)}`)
  }

  /** Replaces the card with the `key`, if there is one. */
  push(card: NewCard, { key, ...once }: Once & { key?: string } = {}): Promise<CreatedCard | PatchedCard> {
    if (key === undefined) return this.#request('POST', '/cards', card, once)
    return this.#request('PUT', `/cards/by-key/${encodeURIComponent(key)}`, card, once)
  }

  patch(id: string, body: PatchCardBody, once?: Once): Promise<PatchedCard> {
    return this.#request('PATCH', `/cards/${encodeURIComponent(id)}`, body, once)
  }
}
