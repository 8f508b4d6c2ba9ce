// The requests of a channel. The dashboard uses them too, so what only programs need is in channel.ts.
import type { z } from 'zod'
import type { Attributes } from '../shared/attributes.ts'
import type {
  Card,
  CardList,
  CardWithDecisions,
  CreatedCard,
  createCardBody,
  PatchCardBody,
  PatchedCard,
} from '../shared/card.ts'
import type { ChannelWithActions, patchChannelBody } from '../shared/channel.ts'
import { newUuid } from '../shared/characters.ts'
import type { DecisionState, FullDecision, FullDecisionList } from '../shared/decision.ts'
import type { CreatedHeaderAction, createHeaderActionBody, HeaderAction } from '../shared/header-action.ts'
import type { InteractionList, ListedInteraction } from '../shared/interaction.ts'
import type { Method } from './http.ts'
import { Pages } from './pages.ts'
import { type Once, query, type Requester, type RequestOptions, segment } from './requester.ts'

export type NewCard = z.input<typeof createCardBody>

/** A card's id, or the key with which it was pushed. */
export type CardReference = string | { key: string }

/** `decisions`: if the card asks something. */
export type PushedCard = CreatedCard & Partial<CardWithDecisions>

/** `limit`: how many items a page has, at most 200. */
type ListOptions = { limit?: number }

export class ChannelRequests {
  readonly id: string
  protected readonly requester: Requester
  protected readonly path: string

  constructor(requester: Requester, id: string) {
    this.id = id
    this.requester = requester
    this.path = `/channels/${segment(id)}`
  }

  #request<T>(method: Method, path: string, body?: unknown, options?: RequestOptions): Promise<T> {
    return this.requester.request(method, this.path + path, body, options)
  }

  get(): Promise<ChannelWithActions> {
    return this.#request('GET', '')
  }

  update(body: z.input<typeof patchChannelBody>): Promise<ChannelWithActions> {
    return this.#request('PATCH', '', body, { repeatable: true })
  }

  async delete(): Promise<void> {
    await this.#request('DELETE', '')
  }

  /** Pushes a new card. With `key`, it replaces the card that has the key, if there is one. */
  push(card: NewCard | NewCard['blocks'], options?: Once & { key?: undefined }): Promise<PushedCard>
  push(card: NewCard | NewCard['blocks'], options: Once & { key?: string }): Promise<PushedCard | PatchedCard>
  push(
    card: NewCard | NewCard['blocks'],
    { key, idempotency_key }: Once & { key?: string } = {},
  ): Promise<PushedCard | PatchedCard> {
    const body = Array.isArray(card) ? { blocks: card } : card
    if (key === undefined)
      return this.#request('POST', '/cards', body, { idempotency_key: idempotency_key ?? newUuid() })
    return this.#request('PUT', cardPath({ key }), body, { idempotency_key })
  }

  card(reference: CardReference): Promise<Card> {
    return this.#request('GET', cardPath(reference))
  }

  /** The cards, newest first. */
  cards(options: ListOptions = {}): Pages<Card, CardList> {
    return this.#list('/cards', options, ({ cards }) => cards)
  }

  patch(
    reference: CardReference,
    body: PatchCardBody,
    { idempotency_key = newUuid() }: Once = {},
  ): Promise<PatchedCard> {
    return this.#request('PATCH', cardPath(reference), body, { idempotency_key })
  }

  /** Deletes the card. */
  remove(reference: CardReference): Promise<void> {
    return this.#request('DELETE', cardPath(reference))
  }

  attributes(): Promise<Attributes> {
    return this.#request('GET', '/attributes')
  }

  setAttributes(body: Record<string, string>): Promise<Attributes> {
    return this.#request('PUT', '/attributes', body)
  }

  actions(): Promise<HeaderAction[]> {
    return this.#request('GET', '/actions')
  }

  addAction(body: z.input<typeof createHeaderActionBody>): Promise<CreatedHeaderAction> {
    return this.#request('POST', '/actions', body)
  }

  /** What people did, newest first. */
  interactions(options: ListOptions = {}): Pages<ListedInteraction, InteractionList> {
    return this.#list('/interactions', options, ({ interactions }) => interactions)
  }

  /** The channel's questions, newest first, even those of deleted cards. */
  decisions(
    options: ListOptions & { state?: DecisionState; key?: string } = {},
  ): Pages<FullDecision, FullDecisionList> {
    return this.#list('/decisions', options, ({ decisions }) => decisions)
  }

  /** The question that a card asks now. `block`: its block of buttons, needed if the card asks several. */
  cardDecision(reference: CardReference, { block }: { block?: string } = {}): Promise<FullDecision> {
    return this.#request('GET', `${cardPath(reference)}/decision${query({ block })}`)
  }

  #list<T, P extends { next_cursor: string | null }>(
    path: string,
    options: Record<string, string | number | undefined>,
    itemsOf: (page: P) => T[],
  ): Pages<T, P> {
    return new Pages(cursor => this.#request<P>('GET', path + query({ ...options, cursor })), itemsOf)
  }
}

const cardPath = (reference: CardReference) =>
  typeof reference === 'string' ? `/cards/${segment(reference)}` : `/cards/by-key/${segment(reference.key)}`
