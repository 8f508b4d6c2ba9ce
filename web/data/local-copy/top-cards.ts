// The topmost cards of the channel saved last, in localStorage, which a starting page reads before IndexedDB.
import type { FirstCards } from '../../../shared/first-cards.ts'
import { attempt } from '../../lib/try-storage.ts'

/** Browsers already hold entries under this key. */
const KEY = 'last-look'
const WHAT = 'The first cards'
/** In characters: larger values take long to write. */
const LARGEST = 100_000
/** A phone shows about three small cards; more would delay the first paint. */
const COUNT = 3

type TopCards = { channel_id: string; first: FirstCards }

/** Call it after the local copy is written: the cards shown first must not be newer than the cards that follow. */
export function saveTopCards(channel_id: string, first: FirstCards): void {
  const text = JSON.stringify({ channel_id, first: topmost(first) } satisfies TopCards)
  dropTopCards()
  if (text.length <= LARGEST) attempt(WHAT, () => localStorage.setItem(KEY, text))
}

function topmost({ head, pages }: FirstCards): FirstCards {
  let missing = COUNT
  const cut = pages.map(({ page, cards }) => {
    const top = cards.slice(0, missing)
    missing -= top.length
    return { page, cards: top }
  })
  return { head, pages: cut.filter(({ cards }) => cards.length > 0) }
}

export function readTopCards(channelId: string): FirstCards | undefined {
  const saved = attempt(WHAT, readSaved)
  return saved?.channel_id === channelId ? saved.first : undefined
}

export function dropTopCards(channelIds?: ReadonlySet<string>): void {
  attempt(WHAT, () => {
    if (!channelIds || channelIds.has(readSaved()?.channel_id ?? '')) localStorage.removeItem(KEY)
  })
}

function readSaved(): TopCards | undefined {
  const text = localStorage.getItem(KEY)
  return text === null ? undefined : JSON.parse(text)
}
