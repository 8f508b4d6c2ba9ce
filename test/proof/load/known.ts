// What the posters have learned from answers, so that a plan can name cards and interactions by rank.
import type { Rank } from '../actions.ts'
import type { Operation } from '../plan.ts'
import { decisionIn } from './questions.ts'
import type { Answer } from './request.ts'
import type { Request } from './requests.ts'
import type { Scene } from './scene.ts'

const PAGE_SIZE = 64

type KnownChannel = {
  /** Oldest first. */
  cards: string[]
  /** How many cards were created. */
  created: number
  interactions: string[]
  questions: { card_id: string; decision_id: string }[]
  /** Of POSTs that were acknowledged. */
  idempotency_keys: string[]
  actions: { id: string; label: string }[]
  /** By page. */
  etags: Map<number, string>
}

export class Known {
  readonly #scene: Scene
  readonly #channels: KnownChannel[]
  /** Channels that posters have created. */
  readonly #made: { id: string; name: string }[] = []

  constructor(scene: Scene) {
    this.#scene = scene
    this.#channels = scene.channel_ids.map(() => ({
      cards: [],
      created: 0,
      interactions: [],
      questions: [],
      idempotency_keys: [],
      actions: [],
      etags: new Map(),
    }))
  }

  /** Null if the posters know nothing that the operation could be about. */
  requestOf(operation: Operation): Request | null {
    const { id: op, channel } = operation
    const known = this.#channels[channel]
    if (!known) return null
    switch (operation.kind) {
      case 'post':
        return { kind: 'post', op, status: operation.status, idempotent: operation.idempotent }
      case 'ask':
        return {
          kind: 'post',
          op,
          status: 'pending',
          question: operation.question,
          idempotent: operation.idempotent,
        }
      case 'press':
      case 'withdraw':
      case 'reopen':
      case 'abandon':
      case 'read decision':
        return requestOnQuestion(operation, known.questions.at(-1 - operation.back))
      case 'list decisions':
        return { kind: 'list decisions', op }
      case 'spend':
        return { kind: 'post', op, status: 'default' }
      case 'put':
        return {
          kind: 'put',
          op,
          key: operation.key,
          idempotent: operation.idempotent,
          ...(operation.large && { large: true }),
        }
      case 'get key':
        return { kind: 'get key', op, key: operation.key }
      case 'list':
        return { kind: 'list', op, limit: operation.limit }
      case 'page': {
        // Of the newest card. The next page begins with the next card.
        const newest = Math.floor((known.created - 1) / PAGE_SIZE)
        const page = Math.max(0, newest - operation.back)
        const etag = known.etags.get(page)
        return { kind: 'page', op, page, ...(etag !== undefined && { etag }) }
      }
      case 'redeliver': {
        const interaction_id = known.interactions.at(-1 - operation.back)
        return interaction_id === undefined ? null : { kind: 'redeliver', op, interaction_id }
      }
      case 'patch':
      case 'delete':
      case 'get':
      case 'refused':
      case 'interact':
        return requestOnCard(operation, find(known, operation.card), known)
      case 'revoke':
      case 'burst':
      case 'hide':
        return null
      default:
        return this.#settingOf(operation, known)
    }
  }

  #settingOf(
    { id: op, channel, ...operation }: Extract<Operation, { kind: SettingKind }>,
    known: KnownChannel,
  ): Request | null {
    switch (operation.kind) {
      case 'webhook':
        return { kind: 'webhook', op, url: `${this.#scene.webhook_url}/${channel}/${op}` }
      case 'attribute':
        return { kind: 'attribute', op, name: operation.name }
      case 'remove action': {
        const [oldest] = known.actions
        return oldest ? { kind: 'remove action', op, action_id: oldest.id, label: oldest.label } : null
      }
      case 'delete channel': {
        const [oldest] = this.#made
        return oldest ? { kind: 'delete channel', op, target_id: oldest.id, name: oldest.name } : null
      }
      default:
        return { kind: operation.kind, op }
    }
  }

  learn(request: Request, answer: Answer, channel: number): void {
    const known = this.#channels[channel]
    if (!known) return
    const { status, body, etag } = answer
    const id = hasId(body) ? body.id : ''
    switch (request.kind) {
      case 'post':
      case 'put':
        if (status !== 201 || answer.replayed) return
        known.cards.push(id)
        known.created++
        this.#learnQuestion(known, id, decisionIn(body))
        if (request.kind === 'post' && request.idempotent) known.idempotency_keys.push(request.op)
        return
      case 'delete':
        if (isGone(status)) remove(known.cards, card_id => card_id === request.card_id)
        return
      case 'reopen':
        return this.#learnQuestion(known, request.card_id, decisionIn(body))
      case 'interact':
      case 'press':
        if (status === 201) known.interactions.push(request.interaction_id)
        return
      case 'page':
        if (etag !== undefined) known.etags.set(request.page, etag)
        return
      case 'add action':
        if (status === 201) known.actions.push({ id, label: request.op })
        return
      case 'remove action':
        if (isGone(status)) remove(known.actions, action => action.id === request.action_id)
        return
      case 'create channel':
        if (status === 201) this.#made.push({ id, name: request.op })
        return
      case 'delete channel':
        if (isGone(status)) remove(this.#made, made => made.id === request.target_id)
    }
  }

  #learnQuestion({ questions }: KnownChannel, card_id: string, decision_id: string | undefined): void {
    if (decision_id === undefined || questions.some(known => known.decision_id === decision_id)) return
    questions.push({ card_id, decision_id })
  }
}

function requestOnQuestion(
  operation: Extract<Operation, { kind: 'press' | 'withdraw' | 'reopen' | 'abandon' | 'read decision' }>,
  question: KnownChannel['questions'][number] | undefined,
): Request | null {
  if (!question) return null
  const { id: op } = operation
  if (operation.kind === 'reopen') return { kind: 'reopen', op, card_id: question.card_id }
  if (operation.kind === 'abandon')
    return { kind: 'abandon', op, card_id: question.card_id, abandon: operation.abandon }
  if (operation.kind !== 'press') return { kind: operation.kind, op, decision_id: question.decision_id }
  const { button, by } = operation
  const [interaction_id, timestamp] = [crypto.randomUUID(), new Date().toISOString()]
  return { kind: 'press', op, interaction_id, ...question, button, by, timestamp }
}

type SettingKind =
  | 'rotate'
  | 'webhook'
  | 'head'
  | 'add action'
  | 'remove action'
  | 'attribute'
  | 'create channel'
  | 'delete channel'

type OnCard = Extract<Operation, { kind: 'patch' | 'delete' | 'get' | 'refused' | 'interact' }>

function requestOnCard(
  operation: OnCard,
  card_id: string | undefined,
  { idempotency_keys }: KnownChannel,
): Request | null {
  const { id: op } = operation
  if (operation.kind === 'interact') {
    const interaction_id = crypto.randomUUID()
    if (operation.act === 'reply') return { kind: 'interact', op, interaction_id, act: 'reply' }
    return card_id === undefined
      ? null
      : { kind: 'interact', op, interaction_id, act: operation.act, card_id }
  }
  if (operation.kind === 'refused') {
    const { how, key } = operation
    if (how === 'no blocks') return { kind: 'refused', op, how, key }
    if (how === 'used key') {
      const used_key = idempotency_keys.at(-1)
      return used_key === undefined ? null : { kind: 'refused', op, how, used_key }
    }
    return card_id === undefined ? null : { kind: 'refused', op, how, card_id }
  }
  if (card_id === undefined) return null
  if (operation.kind !== 'patch') return { kind: operation.kind, op, card_id }
  const { status, fields, idempotent } = operation
  return {
    kind: 'patch',
    op,
    card_id,
    ...(status && { status }),
    ...(fields && { fields }),
    ...(idempotent && { idempotent }),
  }
}

const find = ({ cards }: KnownChannel, { from, n }: Rank) => cards.at(from === 'oldest' ? n : -1 - n)

/** A deletion that got 404 may have been done by an earlier one. */
const isGone = (status: number) => (status >= 200 && status < 300) || status === 404

function remove<T>(items: T[], matches: (item: T) => boolean): void {
  const at = items.findIndex(matches)
  if (at >= 0) items.splice(at, 1)
}

const hasId = (body: unknown): body is { id: string } =>
  typeof body === 'object' && body !== null && 'id' in body && typeof body.id === 'string'
