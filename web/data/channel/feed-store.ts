// A channel's cards as the screen shows them, live and archived. Fields are patched, so that only changes render.
import { batch, createSignal } from 'solid-js'
import { createStore, reconcile } from 'solid-js/store'
import type { PlacedCard } from '../../../shared/card.ts'
import type { ChannelHead } from '../../../shared/channel.ts'
import type { FirstCards } from '../../../shared/first-cards.ts'
import type { HeaderReceipts } from '../../../shared/receipt.ts'
import { safeKey } from '../../lib/safe-key.ts'

type CardPosition = Pick<PlacedCard, 'id' | 'position'>
export type FeedStore = ReturnType<typeof createFeedStore>

export function createFeedStore() {
  const [state, setState] = createStore<{
    head: ChannelHead | null
    /** Receipts are by `safeKey` of their block. */
    cards: Record<string, PlacedCard | undefined>
    /** The receipts of header actions. */
    receipts: HeaderReceipts
  }>({ head: null, cards: {}, receipts: {} })
  const [ids, setIds] = createSignal<string[]>([], { equals: isSameList })
  const pages = new Map<number, string[]>()
  /** Cards that are shown without their page. */
  const [apart, setApartIds] = createSignal<string[]>([], { equals: isSameList })

  const setHead = (head: ChannelHead) => setState('head', reconcile(head, { key: 'id', merge: true }))

  const setHeaderReceipts = (receipts: HeaderReceipts) => setState('receipts', reconcile(receipts))

  /** Sets a card's content. The card appears once a page has a position for it. */
  const setCard = (card: PlacedCard) =>
    setState('cards', card.id, reconcile(withSafeReceipts(card), { key: 'id', merge: true }))

  function setPositions(page: number, positions: CardPosition[]): void {
    const before = pages.get(page) ?? []
    const newestFirst = [...positions].sort((a, b) => b.position - a.position).map(({ id }) => id)
    pages.set(page, newestFirst)
    updateIds(before)
  }

  function setPage(page: number, cards: PlacedCard[]): void {
    batch(() => {
      for (const card of cards) setCard(card)
      setPositions(page, cards)
    })
  }

  function setFirstCards({ head, pages }: FirstCards): void {
    batch(() => {
      setHead(head)
      for (const { page, cards } of pages) setPage(page, cards)
    })
  }

  function removePage(page: number): void {
    const before = pages.get(page)
    if (!before) return
    pages.delete(page)
    updateIds(before)
  }

  function updateIds(before: string[]): void {
    batch(() => {
      const next = [...pages].sort(([a], [b]) => b - a).flatMap(([, ids]) => ids)
      const used = new Set(next)
      for (const id of apart()) used.add(id)
      for (const id of before) if (!used.has(id)) setState('cards', id, undefined)
      setIds(next)
    })
  }

  /** Replaces the cards without a page. Those that a page has are as the page has them. */
  function setApart(cards: PlacedCard[]): void {
    batch(() => {
      const placed = new Set(ids())
      const before = apart()
      for (const card of cards) if (!placed.has(card.id)) setCard(card)
      const next = new Set(cards.map(({ id }) => id))
      for (const id of before) if (!next.has(id) && !placed.has(id)) setState('cards', id, undefined)
      setApartIds([...next])
    })
  }

  const pageNumbers = () => [...pages.keys()]
  return {
    state,
    ids,
    apart: { ids: apart, set: setApart },
    setHead,
    setHeaderReceipts,
    setCard,
    setPositions,
    setPage,
    setFirstCards,
    removePage,
    pageNumbers,
  }
}

/** The receipts by `safeKey` of their block: a store would merge those of a block `__proto__` into all objects. */
function withSafeReceipts(card: PlacedCard): PlacedCard {
  if (!card.acts) return card
  return {
    ...card,
    acts: Object.fromEntries(Object.entries(card.acts).map(([id, receipts]) => [safeKey(id), receipts])),
  }
}

const isSameList = (a: string[], b: string[]) => a.length === b.length && a.every((id, i) => id === b[i])
