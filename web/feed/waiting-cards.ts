// The cards that wait for this viewer, as the server knows them: the device has the newest cards only.
import { createEffect, createSignal, on, onCleanup } from 'solid-js'
import { ChannelFeedError } from '../../client/errors.ts'
import type { PlacedCard } from '../../shared/card.ts'
import { PAGE_SIZE } from '../../shared/limits.ts'
import type { PageFeed } from '../data/channel/page-feed.ts'
import { type FetchedPage, fetchPage, fetchWaiting } from '../data/viewer-requests.ts'
import { patience } from '../lib/patience.ts'
import { isUpToDate } from '../lib/reconnect.ts'

/** Between two requests, give or take half: longer while they bring nothing new. */
const PAUSE_MS = 5_000
const PAUSE_MAX_MS = 60_000
/** Every open page hears of a change at the same moment, so they ask one after another. */
const SPREAD_MS = 2_000

export type WaitingCardsReader = ReturnType<typeof createWaitingCards>

export function createWaitingCards(feed: PageFeed) {
  const { archive, cardsApart } = feed
  /** Cards that the server counted and didn't send. */
  const [unread, setUnread] = createSignal(0)
  const [answered, setAnswered] = createSignal(false)
  /** The pages of cards that no longer wait. */
  const pages = new Map<number, FetchedPage>()
  let stopped = false
  let isReading = false
  let isOutdated = false
  let last = ''
  let endPause = () => {}
  onCleanup(() => {
    stopped = true
  })

  const online = () => isUpToDate(feed.link())
  // What the viewer may decide changes with who they are; the rest with the archived pages.
  const reasons = () => [feed.drawn(), online(), JSON.stringify(feed.viewer()?.you), archive.place()] as const
  createEffect(
    on(reasons, ([ready, isOnline, you, place], before) => {
      if (!isOnline) return void setAnswered(false)
      if (!ready || !place || place.oldestPage === 0) return
      const isOnlyPlace = before?.[0] && before[1] && before[2] === you && before[3] !== undefined
      if (isOnlyPlace) return void setTimeout(refresh, Math.random() * SPREAD_MS)
      refresh()
      endPause()
    }),
  )

  async function refresh(): Promise<void> {
    isOutdated = true
    if (isReading) return
    isReading = true
    for (let pause_ms = PAUSE_MS; isOutdated && !stopped; ) {
      isOutdated = false
      const before = last
      await read()
      pause_ms = last === before ? Math.min(2 * pause_ms, PAUSE_MAX_MS) : PAUSE_MS
      const ended = new Promise<void>(resolve => {
        endPause = resolve
      })
      await Promise.race([patience(pause_ms * (0.5 + Math.random())), ended])
    }
    isReading = false
  }

  async function read(): Promise<void> {
    try {
      const { total, cards } = await fetchWaiting(feed.id)
      const ids = new Set(cards.map(({ id }) => id))
      last = [total, ...ids].join()
      const others = cardsApart.ids().filter(id => !ids.has(id) && !feed.ids().includes(id))
      const kept = await readAgain(others)
      if (stopped || !online()) return
      cardsApart.set([...cards, ...kept])
      setUnread(total - cards.length)
      setAnswered(true)
    } catch (error) {
      // The channel's sync finds out whether access was lost.
      if (!(error instanceof ChannelFeedError)) throw error
    }
  }

  /** Cards that no longer wait, so that the viewer sees what became of them. Deleted cards are left out. */
  async function readAgain(ids: string[]): Promise<PlacedCard[]> {
    const numbers = ids.map(id => Math.floor((feed.state.cards[id]?.position ?? 0) / PAGE_SIZE))
    const read = [...new Set(numbers)].map(async number => {
      const fetched = await fetchPage(feed.id, number, pages.get(number)?.etag ?? null)
      if (fetched) pages.set(number, fetched)
      return pages.get(number)?.cards ?? []
    })
    return (await Promise.all(read)).flat().filter(({ id }) => ids.includes(id))
  }

  return {
    unread,
    /** Whether every waiting card is known. */
    isComplete: () => archive.place()?.oldestPage === 0 || answered(),
  }
}
