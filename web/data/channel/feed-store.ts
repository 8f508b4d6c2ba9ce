// What the screen shows of a channel: cards by id, and their ids newest first. Patched field by field, so that
// only what changed renders. Live and archived pages stand side by side here; it knows neither Yjs nor HTTP.
import { batch, createSignal } from 'solid-js'
import { createStore, reconcile } from 'solid-js/store'
import type { PlacedCard } from '../../../shared/card.ts'
import type { ChannelHead } from '../../../shared/channel.ts'

export type FeedState = { head: ChannelHead | null; cards: Record<string, PlacedCard | undefined> }
/** Where a card stands: positions rise in the order of creation. */
export type Place = Pick<PlacedCard, 'id' | 'position'>
export type FeedStore = ReturnType<typeof createFeedStore>

export function createFeedStore() {
  const [state, setState] = createStore<FeedState>({ head: null, cards: {} })
  const [ids, setIds] = createSignal<string[]>([])
  const pages = new Map<number, Place[]>()

  function setHead(head: ChannelHead): void {
    setState('head', reconcile(head, { key: 'id', merge: true }))
  }

  /** A card's content. It shows once a page has a place for it. */
  function setCard(card: PlacedCard): void {
    setState('cards', card.id, reconcile(card, { key: 'id', merge: true }))
  }

  /** Which cards a page has. Those that no page has any more are dropped. */
  function setPlaces(page: number, places: Place[]): void {
    const before = pages.get(page)
    pages.set(
      page,
      places.map(({ id, position }) => ({ id, position })).sort((a, b) => b.position - a.position),
    )
    batch(() => {
      if (before) dropHomeless(before)
      order()
    })
  }

  /** A page with all its cards. Equal ones render nothing. */
  function setPage(page: number, cards: PlacedCard[]): void {
    batch(() => {
      for (const card of cards) setCard(card)
      setPlaces(page, cards)
    })
  }

  function removePage(page: number): void {
    const before = pages.get(page)
    if (!before) return
    batch(() => {
      pages.delete(page)
      dropHomeless(before)
      order()
    })
  }

  function cardsOf(page: number): PlacedCard[] {
    const found = pages.get(page) ?? []
    return found.flatMap(({ id }) => state.cards[id] ?? [])
  }

  function dropHomeless(before: Place[]): void {
    const kept = new Set([...pages.values()].flatMap(cards => cards.map(({ id }) => id)))
    for (const { id } of before) if (!kept.has(id)) setState('cards', id, undefined)
  }

  function order(): void {
    const newestFirst = [...pages.keys()].sort((a, b) => b - a)
    const next = newestFirst.flatMap(page => pages.get(page)?.map(({ id }) => id) ?? [])
    setIds(before => (isSameList(before, next) ? before : next))
  }

  const pageNumbers = () => [...pages.keys()]
  return { state, ids, setHead, setCard, setPlaces, setPage, removePage, cardsOf, pageNumbers }
}

function isSameList(a: string[], b: string[]): boolean {
  return a.length === b.length && a.every((id, i) => id === b[i])
}
