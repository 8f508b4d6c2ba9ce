// The one path from the document to the screen: turns Yjs events into the smallest patches of the feed's store.
import { batch } from 'solid-js'
import type * as Y from 'yjs'
import {
  type CardMap,
  channelOf,
  headerReceiptsOf,
  oldestPageOf,
  type PageMap,
  pagesOf,
  readCard,
  readHead,
  touchedOf,
} from '../../../shared/channel-doc.ts'
import type { FeedStore } from './feed-store.ts'

export type BridgeTarget = {
  channel_id: string
  store: FeedStore
  /** A page left the document for the archive. Its cards are still in the store. */
  onArchived: (page: number) => void
  onCardDeleted: (cardId: string) => void
  onChannel: (oldestPage: number, touched: Map<number, number>) => void
}

/** Shows `doc` in the store and follows it. Returns the function that stops it. */
export function makeBridge(doc: Y.Doc, target: BridgeTarget): () => void {
  const { channel_id, store } = target
  const pages = pagesOf(doc)
  const channel = channelOf(doc)
  // A document without a head is still empty, and must not clear the screen.
  let hasHead = false
  let channelChanged = false

  function showAll(): void {
    const head = readHead(channel)
    if (!head) return
    hasHead = true
    batch(() => {
      showHead()
      for (const [number, page] of pages) showPage(Number(number), page)
      for (const page of store.pageNumbers())
        if (page >= oldestPageOf(doc) && !pages.has(String(page))) store.removePage(page)
    })
  }

  function showHead(): void {
    const head = readHead(channel)
    if (head) store.setHead(structuredClone(head))
    store.setHeaderReceipts(structuredClone(headerReceiptsOf(channel)))
    const touched = [...(touchedOf(doc) ?? [])]
    target.onChannel(oldestPageOf(doc), new Map(touched.map(([page, version]) => [Number(page), version])))
  }

  function showPage(number: number, page: PageMap): void {
    const cards = [...page.values()].map(card => copyCard(card, channel_id))
    store.setPage(number, cards)
  }

  function onPages(events: Y.YEvent<Y.AbstractType<unknown>>[]): void {
    if (!hasHead) return
    const changed = changedIn(events)
    batch(() => {
      for (const number of changed.pages) {
        const page = pages.get(number)
        if (page) showPage(Number(number), page)
      }
      for (const number of changed.pages) if (!pages.has(number)) removePage(Number(number))
      for (const [number, ids] of changed.cards) {
        const page = pages.get(number)
        if (page && !changed.pages.has(number)) showCards(Number(number), page, ids)
      }
    })
  }

  function removePage(page: number): void {
    if (page < oldestPageOf(doc)) target.onArchived(page)
    else store.removePage(page)
  }

  function showCards(number: number, page: PageMap, ids: Set<string>): void {
    for (const id of ids) {
      const card = page.get(id)
      if (card) store.setCard(copyCard(card, channel_id))
      else target.onCardDeleted(id)
    }
    store.setPositions(number, [...page.values()].map(readPosition))
  }

  /** Runs after `onPages`, so that `onArchived` comes before the new `oldest_page`. */
  function onTransaction(): void {
    if (!hasHead) showAll()
    else if (channelChanged) batch(showHead)
    channelChanged = false
  }

  const onChannel = () => (channelChanged = true)
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

/** `pages`: added, removed or replaced. `cards`: by page, the cards that were added, removed or changed. */
function changedIn(events: Y.YEvent<Y.AbstractType<unknown>>[]) {
  const pages = new Set<string>()
  const cards = new Map<string, Set<string>>()
  const addCard = (page: string, card: string) => cards.set(page, (cards.get(page) ?? new Set()).add(card))
  for (const event of events) {
    const [page, card] = event.path.map(String)
    const keys = event.changes.keys.keys()
    if (page === undefined) for (const key of keys) pages.add(key)
    else if (card === undefined) for (const key of keys) addCard(page, key)
    else addCard(page, card)
  }
  return { pages, cards }
}

/** A copy, because the store changes its cards in place and the document's own objects must not change. */
const copyCard = (card: CardMap, channel_id: string) => structuredClone(readCard(card, channel_id))

const readPosition = (card: CardMap) => ({
  id: String(card.get('id')),
  position: Number(card.get('position')),
})
