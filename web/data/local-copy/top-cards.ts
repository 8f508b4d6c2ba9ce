// In localStorage, which a starting page reads before IndexedDB: the topmost cards of the channel saved last, and the page of
// the channel left last, as HTML, which start.js shows until the app draws the cards.
import type { FirstCards } from '../../../shared/first-cards.ts'
import { attempt } from '../../lib/try-storage.ts'

/** Browsers already hold entries under this key. */
const KEY = 'last-look'
const PAGE_KEY = 'last-page'
const WHAT = 'The first cards'
/** In characters: larger values take long to write. */
const LARGEST = 100_000
/** A phone shows about three small cards; more would delay the first paint. */
const COUNT = 3

type TopCards = { channel_id: string; first: FirstCards }
/** start.js shows it with the same build, whose styles it needs, in a window of the same width. */
type LastPage = { channel_id: string; build: string | null | undefined; width: number; html: string }

/** Call it after the local copy is written: the cards shown first must not be newer than the cards that follow. */
export function saveTopCards(channel_id: string, first: FirstCards): void {
  const text = JSON.stringify({ channel_id, first: topmost(first) } satisfies TopCards)
  attempt(WHAT, () => localStorage.removeItem(KEY))
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
  const saved = attempt(WHAT, () => readSaved<TopCards>(KEY))
  return saved?.channel_id === channelId ? saved.first : undefined
}

/** Replaces another channel's page. */
export function savePage(channel_id: string, html: string): void {
  const build = document.querySelector('script[type="module"]')?.getAttribute('src')
  const text = JSON.stringify({ channel_id, build, width: innerWidth, html } satisfies LastPage)
  attempt(WHAT, () => {
    localStorage.removeItem(PAGE_KEY)
    if (text.length <= LARGEST) localStorage.setItem(PAGE_KEY, text)
  })
}

/** Of the given channels, or of any. */
export function dropTopCards(channelIds?: ReadonlySet<string>): void {
  drop(KEY, channelIds)
  drop(PAGE_KEY, channelIds)
}

/** The channel has changed since its page was saved. */
export const dropPage = (channelId: string) => drop(PAGE_KEY, new Set([channelId]))

function drop(key: string, channelIds?: ReadonlySet<string>): void {
  attempt(WHAT, () => {
    if (!channelIds || channelIds.has(readSaved(key)?.channel_id ?? '')) localStorage.removeItem(key)
  })
}

function readSaved<T extends { channel_id: string }>(key: string): T | undefined {
  const text = localStorage.getItem(key)
  return text === null ? undefined : JSON.parse(text)
}
