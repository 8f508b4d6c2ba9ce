// Where the card goes: to a channel, as a new card or as a change of a stored one.
import { createEffect, createMemo, createSignal, on } from 'solid-js'
import { createCardBody } from '../../shared/card.ts'
import { api, fetchOwnChannels } from '../data/owner-requests.ts'
import { createLoad, readyValue } from '../ui/load.tsx'
import type { Builder } from './builder.ts'
import { type CardPatch, patchBetween } from './card-patch-body.ts'
import { createCardSender } from './card-sender.ts'
import { cardTextOf } from './composition.ts'
import type { CreatedText } from './unsent-card.ts'

const NEWEST = 50

/** What sending would do. `wrong`: the card has errors. */
type Plan = { kind: 'wrong' | 'new' } | CardPatch

export type ChosenChannel = { id: string; name: string }
export type Destination = ReturnType<typeof createDestination>

/** `createdBefore`: the last card that was sent from here. */
export function createDestination(
  builder: Builder,
  first: ChosenChannel | null,
  createdBefore: CreatedText | undefined,
) {
  const workspaces = createLoad(fetchOwnChannels)
  const [channel, setChannel] = createSignal(first)
  const channelId = createMemo(() => channel()?.id)
  const cards = createLoad(async () => {
    const id = channelId()
    return id === undefined ? [] : (await api.channel(id).cards({ limit: NEWEST }).page()).cards
  })
  const channels = () => readyValue(workspaces.load())?.flatMap(({ channels }) => channels) ?? []

  const changes = createMemo(() => {
    const card = builder.card()
    return card && builder.problems().length === 0
      ? patchBetween(card, createCardBody.parse(builder.value()))
      : undefined
  })
  const plan = createMemo<Plan>(() => changes() ?? { kind: builder.problems().length > 0 ? 'wrong' : 'new' })
  const sender = createCardSender(builder, channelId, changes, cards.again)
  const created = createMemo<CreatedText | undefined>(before => {
    const sent = sender.sent()
    return sent?.how === 'created' ? { text: sent.text, channel_id: sent.response.channel_id } : before
  }, createdBefore)

  createEffect(on(channelId, cards.again, { defer: true }))
  createEffect(on([builder.text, channelId], sender.clearOutcome, { defer: true }))
  // If the channel is deleted or belongs to another user, the first one is selected.
  createEffect(() => {
    if (workspaces.load().state !== 'ready') return
    const chosen = channels().find(({ id }) => id === channelId())
    if (channelId() && !chosen) builder.announce('That channel isn’t available. Another one is selected.')
    const next = chosen ?? channels()[0]
    if (next?.id !== channelId() || next?.name !== channel()?.name) choose(next ?? null)
  })

  function choose(next: ChosenChannel | null): void {
    setChannel(next && { id: next.id, name: next.name })
    const card = builder.card()
    if (card && card.channel_id !== next?.id) builder.detach()
  }

  function chooseNew(): void {
    sender.clearOutcome()
    builder.detach()
  }

  async function open(cardId: string): Promise<void> {
    const id = channelId()
    if (id === undefined) return
    await sender.run(async () => {
      const card = await api.channel(id).card(cardId)
      if (channelId() === id) builder.replace(cardTextOf(card), 'The card is loaded.')
    })
  }

  async function createAgain(): Promise<void> {
    builder.detach()
    await sender.create()
  }

  async function send(): Promise<void> {
    const now = plan()
    const card = builder.card()
    if (now.kind === 'new') await sender.create()
    if (now.kind === 'patch' && card) await sender.patch(card, now.body)
  }

  return {
    ...sender,
    workspaces,
    channel,
    channels,
    choose,
    cards: cards.load,
    chooseNew,
    open,
    plan,
    created,
    /** Sending would repeat a card. */
    isSent: () =>
      builder.card() === null && created()?.text === builder.text() && created()?.channel_id === channelId(),
    send,
    createAgain,
    viewOnly: () => channels().find(({ id }) => id === channelId())?.mode === 'view',
  }
}
