// The topmost cards of the channel that was kept last, where reading them waits for nothing: IndexedDB answers a page
// that is starting only when that has a moment to listen. They are on the screen that much sooner when it is opened
// again; the others follow.
import type { FirstCards } from '../../../shared/first-cards.ts'
import { attempt } from '../../lib/try-storage.ts'

const KEY = 'last-look'
const WHAT = 'The first cards'
/** In characters: some MB are all that a browser gives, and more takes long to write. */
const LARGEST = 100_000
/** A phone shows as many, of the smaller kind; each more would be waited for. */
const COUNT = 3

type LastLook = { channel_id: string; first: FirstCards }

/** Call it when the local copy has them too: what is shown first must not be newer than what follows. */
export function keepLastLook(channel_id: string, first: FirstCards): void {
  const look: LastLook = { channel_id, first: topmost(first) }
  const text = JSON.stringify(look)
  dropLastLook()
  if (text.length <= LARGEST) attempt(WHAT, () => localStorage.setItem(KEY, text))
}

function topmost({ head, pages }: FirstCards): FirstCards {
  let missing = COUNT
  const cut = pages.map(({ page, cards }) => {
    const shown = cards.slice(0, missing)
    missing -= shown.length
    return { page, cards: shown }
  })
  return { head, pages: cut.filter(({ cards }) => cards.length > 0) }
}

export function readLastLook(channelId: string): FirstCards | undefined {
  const look = attempt(WHAT, readKept)
  return look?.channel_id === channelId ? look.first : undefined
}

/** `channelIds`: only if it is of one of these. */
export function dropLastLook(channelIds?: ReadonlySet<string>): void {
  attempt(WHAT, () => {
    if (!channelIds || channelIds.has(readKept()?.channel_id ?? '')) localStorage.removeItem(KEY)
  })
}

function readKept(): LastLook | undefined {
  const text = localStorage.getItem(KEY)
  return text === null ? undefined : JSON.parse(text)
}
