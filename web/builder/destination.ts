// Where the card goes: a channel, and there a new card or one that is to be changed; what would be sent, and how that
// went.
import { createEffect, createMemo, createSignal, on } from 'solid-js'
import { ChannelFeedError, ConnectionError, InvalidRequestError, NotFoundError } from '../../client/errors.ts'
import {
  type Card,
  type CreatedCard,
  createCardBody,
  type PatchCardBody,
  type PatchedCard,
} from '../../shared/card.ts'
import { patchCard as patched } from '../../shared/card-patch.ts'
import { pushCard } from '../data/checked-requests.ts'
import { api, fetchChannelsByWorkspace } from '../data/owner-client.ts'
import { createOnce } from '../lib/once.ts'
import { createLoad } from '../ui/load.tsx'
import type { Builder } from './builder.ts'
import { isSame, patchBetween } from './card-patch-body.ts'
import type { Problem } from './reading.ts'

/** How many cards are offered to be changed. */
const NEWEST = 50

export type Plan =
  | { kind: 'wrong'; problem: Problem }
  | { kind: 'new' }
  | { kind: 'same' }
  | { kind: 'patch'; body: PatchCardBody }
  | { kind: 'impossible'; reasons: string[] }

export type Sent = { how: 'posted' | 'replaced' | 'changed'; answer: CreatedCard | PatchedCard }
export type Channel = { id: string; name: string }
export type Destination = ReturnType<typeof createDestination>

/** A second click within this time is the end of a double click. */
const DOUBLE_CLICK_MS = 1_000

/** A fault may come after the deed, and 409 says that it is still being done. */
const wasNotMade = ({ status }: ChannelFeedError) => status !== null && status < 500 && status !== 409

const NOT_SENT = 'The server cannot be reached. The card is kept here until you send it.'
const GONE = 'This card has been deleted meanwhile. What you changed is kept here.'

export function createDestination(builder: Builder, first: Channel | null) {
  const places = createLoad(fetchChannelsByWorkspace)
  const [channel, setChannel] = createSignal(first)
  const cards = createLoad(async () => {
    const now = channel()
    return now ? api.channel(now.id).cards({ limit: NEWEST }) : []
  })
  const [busy, setBusy] = createSignal(false)
  const [sent, setSent] = createSignal<Sent>()
  const [reason, setReason] = createSignal<string>()
  /** The card that was to be changed is no more. */
  const [gone, setGone] = createSignal(false)
  let sentAt = 0
  const once = createOnce()
  /** A change whose answer has not come: it may have been made. */
  let unanswered: { card: Card; body: PatchCardBody } | null = null

  const channels = () => {
    const now = places.load()
    return now.state === 'ready' ? now.value.flatMap(place => place.channels) : []
  }

  const channelId = createMemo(() => channel()?.id)
  createEffect(on(channelId, cards.again, { defer: true }))
  // A channel that is gone, or another user's, cannot be written to.
  createEffect(() => {
    const now = places.load()
    if (now.state !== 'ready') return
    const chosen = channels().find(({ id }) => id === channelId())
    if (channelId() && !chosen) builder.say('The chosen channel is gone, or not yours.')
    const found = chosen ?? channels()[0]
    if (found?.id !== channel()?.id || found?.name !== channel()?.name) choose(found ?? null)
  })
  // What was said of the last sending is over once the card changes.
  createEffect(on([builder.text, channelId], forgetOutcome, { defer: true }))

  const plan = createMemo((): Plan => {
    const [problem] = builder.problems()
    if (problem) return { kind: 'wrong', problem }
    const card = builder.card()
    return card ? patchBetween(card, createCardBody.parse(builder.value())) : { kind: 'new' }
  })

  function forgetOutcome(): void {
    setReason(undefined)
    setSent(undefined)
    setGone(false)
  }

  function choose(next: Channel | null): void {
    setChannel(next && { id: next.id, name: next.name })
    const card = builder.card()
    if (card && card.channel_id !== next?.id) builder.detach()
  }

  function chooseNew(): void {
    forgetOutcome()
    builder.detach()
  }

  /** Loads a card to be changed, as it is now; the one on the screen can be had back. */
  async function open(cardId: string): Promise<void> {
    const now = channel()
    if (!now) return
    await attempt(async () => {
      const card = await api.channel(now.id).card(cardId)
      // Another channel may have been chosen meanwhile.
      if (channelId() === now.id) builder.load(card, 'The card is loaded.')
    })
  }

  async function sendOnce(work: () => Promise<void>): Promise<void> {
    if (Date.now() - sentAt > DOUBLE_CLICK_MS) await attempt(work, NOT_SENT)
  }

  async function attempt(work: () => Promise<void>, unreachable?: string): Promise<void> {
    if (busy()) return
    setBusy(true)
    forgetOutcome()
    try {
      await work()
    } catch (error) {
      if (!(error instanceof ChannelFeedError)) throw error
      if (wasNotMade(error)) answered()
      if (error instanceof ConnectionError) setReason(unreachable ?? error.message)
      else setReason(gone() ? GONE : error.message)
    } finally {
      setBusy(false)
    }
  }

  function answered(): void {
    once.answered()
    unanswered = null
  }

  function done(next: Sent): void {
    answered()
    sentAt = Date.now()
    setSent(next)
    cards.again()
  }

  function post(): Promise<void> {
    return sendOnce(async () => {
      const { id } = channel() ?? missing()
      const key = once.keyFor(`POST ${id} ${builder.text()}`)
      done({ how: 'posted', answer: await pushCard(id, builder.value(), { idempotency_key: key }) })
    })
  }

  function replace(key: string): Promise<void> {
    return sendOnce(async () => {
      const { id } = channel() ?? missing()
      const answer = await pushCard(id, builder.value(), { key })
      done({ how: 'replaced', answer })
      builder.rebase(await api.channel(id).card(answer.id))
    })
  }

  function patch(card: Card, body: PatchCardBody): Promise<void> {
    return sendOnce(async () => {
      if (unanswered?.card !== card || isSame(unanswered.body, body)) return finish(card, body)
      // It may have been made. Sent again it is made once, and what was composed since begins after it.
      const earlier = unanswered.body
      const answer = await change(card, earlier)
      const base = patched(card, earlier, answer.updated_at).card
      builder.rebase(base)
      const rest = plan()
      if (rest.kind === 'patch') await finish(base, rest.body)
      else done({ how: 'changed', answer })
    })
  }

  async function finish(card: Card, body: PatchCardBody): Promise<void> {
    const text = builder.text()
    const answer = await change(card, body)
    const known = { ...card, ...answer }
    builder.rebase(known)
    // What is left between the two is what others changed, not to be undone by the next PATCH.
    if (builder.text() === text && plan().kind !== 'same') builder.follow(known)
    done({ how: 'changed', answer })
  }

  async function change(card: Card, body: PatchCardBody): Promise<PatchedCard> {
    unanswered = { card, body }
    const key = once.keyFor(`PATCH ${card.id} ${JSON.stringify(body)}`)
    const answer = await api
      .channel(card.channel_id)
      .patch(card.id, body, { idempotency_key: key })
      .catch(error => {
        setGone(error instanceof NotFoundError)
        throw error
      })
    answered()
    return answer
  }

  /** What was made of a card that is no more. */
  async function postAnew(): Promise<void> {
    builder.detach()
    await post()
  }

  /** What the button does. */
  async function send(): Promise<void> {
    const now = plan()
    const card = builder.card()
    if (now.kind === 'new') await post()
    if (now.kind === 'patch' && card) await patch(card, now.body)
  }

  return {
    places,
    channel,
    channels,
    choose,
    cards: cards.load,
    chooseNew,
    open,
    plan,
    busy,
    sent,
    reason,
    gone,
    send,
    post,
    postAnew,
    replace,
    viewOnly: () => channels().find(({ id }) => id === channel()?.id)?.mode === 'view',
  }
}

function missing(): never {
  throw new InvalidRequestError(400, 'Choose a channel first')
}
