// What a starting page reads from localStorage, before IndexedDB has opened: the topmost cards of the channel saved last, and
// the HTML of the channel page that was left last. start.js shows it until the app draws the cards.
import type { FirstCards } from '../../../shared/first-cards.ts'
import { deviceStorage } from '../../lib/text-storage.ts'

/** Browsers already hold entries under this key. */
const KEY = 'last-look'
const PAGE_KEY = 'last-page'
/** In characters: larger values take long to write. */
const LARGEST = 100_000
/** A phone shows about three small cards; more would delay the first paint. */
const COUNT = 3

type TopCards = { channel_id: string; first: FirstCards }
/** start.js shows it only if the build, with its styles, and the width of the window are the same. */
type LastPage = { channel_id: string; build: string | null | undefined; width: number; html: string }

/** Call it after the local copy is written: the cards shown first must not be newer than the cards that follow. */
export function saveTopCards(channel_id: string, first: FirstCards): void {
  const text = JSON.stringify({ channel_id, first: topmost(first) } satisfies TopCards)
  drop(KEY)
  if (text.length <= LARGEST) deviceStorage.write(KEY, text)
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
  const saved = deviceStorage.readJson<TopCards>(KEY)
  return saved?.channel_id === channelId ? saved.first : undefined
}

/** Replaces the page saved before. */
export function savePage(channel_id: string, html: string): void {
  const build = document.querySelector('script[type="module"]')?.getAttribute('src')
  const text = JSON.stringify({ channel_id, build, width: innerWidth, html } satisfies LastPage)
  drop(PAGE_KEY)
  if (text.length <= LARGEST) deviceStorage.write(PAGE_KEY, text)
}

/** Also drops the page. Without ids, those of any channel. */
export function dropTopCards(channelIds?: ReadonlySet<string>): void {
  drop(KEY, channelIds)
  drop(PAGE_KEY, channelIds)
}

/** Call it when the channel changes: the page must not show what is gone. */
export const dropPage = (channelId: string) => drop(PAGE_KEY, new Set([channelId]))

function drop(key: string, channelIds?: ReadonlySet<string>): void {
  const isDropped = () =>
    channelIds?.has(deviceStorage.readJson<{ channel_id: string }>(key)?.channel_id ?? '')
  if (!channelIds || isDropped()) deviceStorage.remove(key)
}
