// Creates, replaces or patches the card on the server, each at most once, and keeps the outcome.
import { equalityDeep } from 'lib0/function'
import { createSignal } from 'solid-js'
import { ChannelFeedError, ConnectionError, InvalidRequestError, NotFoundError } from '../../client/errors.ts'
import type { Card, CreatedCard, PatchCardBody, PatchedCard } from '../../shared/card.ts'
import { patchCard as patched } from '../../shared/card-patch.ts'
import { pushCard } from '../data/checked-requests.ts'
import { noteOwnCard } from '../data/own-cards.ts'
import { api } from '../data/owner-requests.ts'
import { errorText } from '../lib/error-text.ts'
import { makeIdempotencyKeys } from '../lib/idempotency-keys.ts'
import type { Builder } from './builder.ts'
import type { CardPatch } from './card-patch-body.ts'

export type SentCard = { response: CreatedCard | PatchedCard } & (
  | { how: 'created'; text: string }
  | { how: 'replaced' | 'changed' }
)

/** A second click within this time is part of a double click. */
const DOUBLE_CLICK_MS = 1_000

/** After a 5xx the server may have applied the request; 409 means that it is still applying it. */
const wasRejected = ({ status }: ChannelFeedError) => status !== null && status < 500 && status !== 409

const NOT_SENT = 'The server can’t be reached. The card is saved here until you send it.'
const GONE = 'This card was deleted. Your changes are saved here.'

function createOutcome(onRejected: () => void) {
  const [busy, setBusy] = createSignal(false)
  const [sent, setSent] = createSignal<SentCard>()
  const [error, setError] = createSignal<string>()

  function clearOutcome(): void {
    setError(undefined)
    setSent(undefined)
  }

  async function run(request: () => Promise<void>, unreachable?: string): Promise<void> {
    if (busy()) return
    setBusy(true)
    clearOutcome()
    try {
      await request()
    } catch (thrown) {
      if (!(thrown instanceof ChannelFeedError)) throw thrown
      if (wasRejected(thrown)) onRejected()
      setError(thrown instanceof ConnectionError ? (unreachable ?? thrown.message) : errorText(thrown))
    } finally {
      setBusy(false)
    }
  }

  return { busy, sent, setSent, error, gone: () => error() === GONE, clearOutcome, run }
}

export function createCardSender(
  builder: Builder,
  channelId: () => string | undefined,
  changes: () => CardPatch | undefined,
  onSent: () => void,
) {
  const { setSent, ...outcome } = createOutcome(confirm)
  const once = makeIdempotencyKeys()
  let sentAt = 0
  /** A PATCH without a response: the server may have applied it. */
  let unconfirmed: { card: Card; body: PatchCardBody } | null = null

  /** The outcome is known, so the next request gets a new Idempotency-Key. */
  function confirm(): void {
    once.responded()
    unconfirmed = null
  }

  async function runOnce(request: () => Promise<void>): Promise<void> {
    if (Date.now() - sentAt > DOUBLE_CLICK_MS) await outcome.run(request, NOT_SENT)
  }

  function finish(sent: SentCard): void {
    confirm()
    sentAt = Date.now()
    setSent(sent)
    onSent()
  }

  const create = () =>
    runOnce(async () => {
      const id = channelId() ?? noChannel()
      const text = builder.text()
      const key = once.keyFor(`POST ${id} ${text}`)
      const response = await pushOwnCard(id, builder.value(), { idempotency_key: key })
      finish({ how: 'created', text, response })
    })

  const replace = (key: string) =>
    runOnce(async () => {
      const id = channelId() ?? noChannel()
      const text = builder.text()
      const response = await pushCard(id, builder.value(), { key })
      finish({ how: 'replaced', response })
      const stored = await api.channel(id).card(response.id)
      builder.rebase(stored)
      if (builder.text() !== text) return
      builder.settle(stored)
      // Another text cleared it.
      setSent({ how: 'replaced', response })
    })

  const patch = (card: Card, body: PatchCardBody) =>
    runOnce(async () => {
      if (unconfirmed?.card !== card || equalityDeep(unconfirmed.body, body)) return sendPatch(card, body)
      // The repeated request is applied at most once. Later changes go into another PATCH.
      const earlier = unconfirmed.body
      const response = await requestPatch(card, earlier)
      const base = patched(card, earlier, response.updated_at).card
      builder.rebase(base)
      const rest = changes()
      if (rest?.kind === 'patch') await sendPatch(base, rest.body)
      else finish({ how: 'changed', response })
    })

  async function sendPatch(card: Card, body: PatchCardBody): Promise<void> {
    const text = builder.text()
    const response = await requestPatch(card, body)
    const stored = { ...card, ...response }
    builder.rebase(stored)
    if (builder.text() === text) {
      builder.settle(stored)
      // The remaining differences come from others. The next PATCH must not undo them.
      if (changes()?.kind !== 'same') builder.follow(stored)
    }
    finish({ how: 'changed', response })
  }

  async function requestPatch(card: Card, body: PatchCardBody): Promise<PatchedCard> {
    unconfirmed = { card, body }
    const key = once.keyFor(`PATCH ${card.id} ${JSON.stringify(body)}`)
    const request = api.channel(card.channel_id).patch(card.id, body, { idempotency_key: key })
    const response = await request.catch(throwGone)
    confirm()
    return response
  }

  return { ...outcome, create, replace, patch }
}

function throwGone(thrown: unknown): never {
  throw thrown instanceof NotFoundError ? new NotFoundError(404, GONE) : thrown
}

function noChannel(): never {
  throw new InvalidRequestError(400, 'Choose a channel first')
}

async function pushOwnCard(...args: Parameters<typeof pushCard>) {
  const response = await pushCard(...args)
  noteOwnCard(response.id)
  return response
}
