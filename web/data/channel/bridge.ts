// The one path from the document to the screen: Yjs events become patches of the feed's store.
// A PATCH of one kv row changes one row; a page replaced by a fresh map of equal cards changes nothing.
import { batch } from 'solid-js'
import type * as Y from 'yjs'
import type { PlacedCard } from '../../../shared/card.ts'
import {
  type CardMap,
  channelOf,
  oldestPageOf,
  type PageMap,
  pagesOf,
  readCard,
  readHead,
  touchedOf,
} from '../../../shared/channel-doc.ts'
import type { FeedStore, Place } from './feed-store.ts'

export type BridgeTarget = {
  channel_id: string
  store: FeedStore
  /** A page left the live document for the archive; its cards are still in the store. */
  onArchived: (page: number) => void
  /** A card was deleted for good. */
  onCardGone: (cardId: string) => void
  /** The head came, or `oldest_page` or `touched` changed. */
  onChannel: (oldestPage: number, touched: Map<number, number>) => void
}

/** Shows `doc` in the store and follows it. Returns how to stop. */
export function makeBridge(doc: Y.Doc, target: BridgeTarget): () => void {
  const { channel_id, store } = target
  const pages = pagesOf(doc)
  const channel = channelOf(doc)
  // Nothing is shown of a document before its head is there, so a fresh one does not empty the screen.
  let shown = false
  let channelChanged = false

  function showAll(): void {
    const head = readHead(doc)
    if (!head) return
    shown = true
    batch(() => {
      showHead()
      for (const [number, page] of pages) showPage(Number(number), page)
      for (const page of store.pageNumbers()) {
        if (page >= oldestPageOf(doc) && !pages.has(String(page))) store.removePage(page)
      }
    })
  }

  function showHead(): void {
    const head = readHead(doc)
    if (head) store.setHead(structuredClone(head))
    target.onChannel(oldestPageOf(doc), readTouched(doc))
  }

  function showPage(number: number, page: PageMap): void {
    store.setPage(
      number,
      [...page.values()].map(card => copyCard(card, channel_id)),
    )
  }

  /** Pages that the document has no more: archived, or emptied. */
  function leave(gone: number[]): void {
    for (const page of gone) {
      if (page < oldestPageOf(doc)) target.onArchived(page)
      else store.removePage(page)
    }
  }

  function onPages(events: Y.YEvent<Y.AbstractType<unknown>>[]): void {
    if (!shown) return
    const changed = changedIn(events)
    batch(() => {
      for (const number of changed.pages) {
        const page = pages.get(number)
        if (page) showPage(Number(number), page)
      }
      leave([...changed.pages].filter(number => !pages.has(number)).map(Number))
      for (const [number, ids] of changed.cards) {
        const page = pages.get(number)
        if (page && !changed.pages.has(number)) showCards(Number(number), page, ids)
      }
    })
  }

  function showCards(number: number, page: PageMap, ids: Set<string>): void {
    for (const id of ids) {
      const card = page.get(id)
      if (card) store.setCard(copyCard(card, channel_id))
      else target.onCardGone(id)
    }
    store.setPlaces(number, [...page.values()].map(readPlace))
  }

  /** Comes after `onPages`: whoever hears of a new `oldest_page` already knows what left. */
  function onTransaction(): void {
    if (!shown) showAll()
    else if (channelChanged) batch(showHead)
    channelChanged = false
  }

  function onChannel(): void {
    channelChanged = true
  }

  pages.observeDeep(onPages)
  channel.observeDeep(onChannel)
  doc.on('afterTransaction', onTransaction)
  showAll()
  return () => {
    pages.unobserveDeep(onPages)
    channel.unobserveDeep(onChannel)
    doc.off('afterTransaction', onTransaction)
  }
}

/** The pages that came, went or were replaced, and by page the cards that came, went or changed. */
function changedIn(events: Y.YEvent<Y.AbstractType<unknown>>[]) {
  const whole = new Set<string>()
  const cards = new Map<string, Set<string>>()
  const add = (page: string, card: string) => cards.set(page, (cards.get(page) ?? new Set()).add(card))
  for (const event of events) {
    const [page, card] = event.path.map(String)
    const keys = event.changes.keys.keys()
    if (page === undefined) for (const key of keys) whole.add(key)
    else if (card === undefined) for (const key of keys) add(page, key)
    else add(page, card)
  }
  return { pages: whole, cards }
}

/** The store keeps and changes what it is given; the document's own objects must stay as they are. */
function copyCard(card: CardMap, channel_id: string): PlacedCard {
  return structuredClone(readCard(card, channel_id))
}

function readPlace(card: CardMap): Place {
  return { id: String(card.get('id')), position: Number(card.get('position')) }
}

function readTouched(doc: Y.Doc): Map<number, number> {
  const touched = touchedOf(doc)
  return new Map(touched ? [...touched].map(([page, version]) => [Number(page), version]) : [])
}
