// The cards that wait for this viewer, as the server knows them: the device has the newest cards only.
import { createEffect, createSignal, on, onCleanup } from 'solid-js'
import { ChannelFeedError } from '../../client/errors.ts'
import type { PlacedCard } from '../../shared/card.ts'
import { PAGE_SIZE } from '../../shared/limits.ts'
import type { PageFeed } from '../data/channel/page-feed.ts'
import { fetchPage, fetchWaiting } from '../data/viewer-requests.ts'
import { isUpToDate } from '../lib/reconnect.ts'

/** The shortest time between two requests. */
const PAUSE_MS = 1_000

export type WaitingCardsReader = ReturnType<typeof createWaitingCards>

export function createWaitingCards(feed: PageFeed) {
  const { archive, cardsApart } = feed
  /** Cards that the server counted and didn't send. */
  const [unread, setUnread] = createSignal(0)
  const [answered, setAnswered] = createSignal(false)
  let stopped = false
  let isReading = false
  let isOutdated = false
  onCleanup(() => {
    stopped = true
  })

  const online = () => isUpToDate(feed.link())
  // What the viewer may decide changes with who they are; the rest with the archived pages.
  const reasons = () => [feed.drawn(), online(), JSON.stringify(feed.viewer()?.you), archive.place()] as const
  createEffect(
    on(reasons, ([ready, isOnline, , place]) => {
      if (!isOnline) setAnswered(false)
      else if (ready && place && place.oldestPage > 0) refresh()
    }),
  )

  async function refresh(): Promise<void> {
    isOutdated = true
    if (isReading) return
    isReading = true
    while (isOutdated && !stopped) {
      isOutdated = false
      await read()
      await new Promise(resolve => setTimeout(resolve, PAUSE_MS))
    }
    isReading = false
  }

  async function read(): Promise<void> {
    try {
      const { total, cards } = await fetchWaiting(feed.id)
      const ids = new Set(cards.map(({ id }) => id))
      const others = cardsApart.ids().filter(id => !ids.has(id) && !feed.ids().includes(id))
      const kept = await Promise.all(others.map(readAgain))
      if (stopped || !online()) return
      cardsApart.set([...cards, ...kept.flatMap(card => card ?? [])])
      setUnread(total - cards.length)
      setAnswered(true)
    } catch (error) {
      // The channel's sync finds out whether access was lost.
      if (!(error instanceof ChannelFeedError)) throw error
    }
  }

  /** A card that no longer waits, so that the viewer sees what became of it. Undefined if it was deleted. */
  async function readAgain(id: string): Promise<PlacedCard | undefined> {
    const position = feed.state.cards[id]?.position ?? 0
    const page = await fetchPage(feed.id, Math.floor(position / PAGE_SIZE), null)
    return page?.cards.find(card => card.id === id)
  }

  return {
    unread,
    /** Whether every waiting card is known. */
    isComplete: () => archive.place()?.oldestPage === 0 || answered(),
  }
}
