// Where the card goes: a channel, and in it a new card or a stored one that is being changed.
import { createEffect, createMemo, createSignal, on } from 'solid-js'
import { createCardBody } from '../../shared/card.ts'
import { api, fetchChannelsByWorkspace } from '../data/owner-client.ts'
import { createLoad } from '../ui/load.tsx'
import type { Builder } from './builder.ts'
import { type CardPatch, patchBetween } from './card-patch-body.ts'
import { createCardSender } from './card-sender.ts'
import { cardTextOf } from './composition.ts'
import type { Problem } from './parse-card.ts'

/** How many stored cards are offered. */
const NEWEST = 50

/** What sending would do. */
export type Plan = { kind: 'wrong'; problem: Problem } | { kind: 'new' } | CardPatch

export type Channel = { id: string; name: string }
export type Destination = ReturnType<typeof createDestination>

export function createDestination(builder: Builder, first: Channel | null) {
  const workspaces = createLoad(fetchChannelsByWorkspace)
  const [channel, setChannel] = createSignal(first)
  const channelId = createMemo(() => channel()?.id)
  const cards = createLoad(async () => {
    const id = channelId()
    return id === undefined ? [] : api.channel(id).cards({ limit: NEWEST })
  })
  const channels = () => {
    const now = workspaces.load()
    return now.state === 'ready' ? now.value.flatMap(({ channels }) => channels) : []
  }

  /** The PATCH of the stored card, if there is one and the card is valid. */
  const changes = createMemo(() => {
    const card = builder.card()
    return card && builder.problems().length === 0
      ? patchBetween(card, createCardBody.parse(builder.value()))
      : undefined
  })
  const plan = createMemo((): Plan => {
    const [problem] = builder.problems()
    return problem ? { kind: 'wrong', problem } : (changes() ?? { kind: 'new' })
  })
  const sender = createCardSender({ builder, channelId, changes, onSent: cards.again })

  createEffect(on(channelId, cards.again, { defer: true }))
  createEffect(on([builder.text, channelId], sender.clearOutcome, { defer: true }))
  // A deleted channel, or another user's, gives way to the first one.
  createEffect(() => {
    if (workspaces.load().state !== 'ready') return
    const chosen = channels().find(({ id }) => id === channelId())
    if (channelId() && !chosen)
      builder.announce('That channel is gone, or not yours. Another one is selected.')
    const next = chosen ?? channels()[0]
    if (next?.id !== channelId() || next?.name !== channel()?.name) choose(next ?? null)
  })

  function choose(next: Channel | null): void {
    setChannel(next && { id: next.id, name: next.name })
    const card = builder.card()
    if (card && card.channel_id !== next?.id) builder.detach()
  }

  function chooseNew(): void {
    sender.clearOutcome()
    builder.detach()
  }

  /** Loads a stored card as it is now. Undo brings back the card on the screen. */
  async function open(cardId: string): Promise<void> {
    const id = channelId()
    if (id === undefined) return
    await sender.run(async () => {
      const card = await api.channel(id).card(cardId)
      // Another channel may have been chosen meanwhile.
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
    send,
    /** Sends a deleted card as a new one. */
    createAgain,
    viewOnly: () => channels().find(({ id }) => id === channelId())?.mode === 'view',
  }
}
