// Reads a channel's looks from the server while somebody watches one of its questions.
import { createSignal } from 'solid-js'
import { ChannelFeedError } from '../../../client/errors.ts'
import type { Looks } from '../../../shared/looks.ts'

const PAUSE_MS = 20_000
/** A new question comes onto many screens at the same moment. */
const SPREAD_MS = 2_000

export type LooksReader = ReturnType<typeof makeLooksReader>

export function makeLooksReader(fetchLooks: () => Promise<Looks>) {
  const [looks, setLooks] = createSignal<Looks['looks']>({})
  const watched = new Set<string>()
  /** The last request can tell about these. */
  let covered = new Set<string>()
  let readAt = Number.NEGATIVE_INFINITY
  let timer: ReturnType<typeof setTimeout> | undefined
  let due = Number.POSITIVE_INFINITY

  /** Returns the function that ends it. */
  function watch(id: string): () => void {
    // What was known before a long pause may be wrong now.
    if (watched.size === 0 && Date.now() >= readAt + PAUSE_MS) setLooks({})
    watched.add(id)
    plan(id)
    return () => {
      watched.delete(id)
      if (watched.size === 0) cancel()
    }
  }

  function plan(id: string): void {
    const next = readAt + PAUSE_MS
    const isCovered = covered.has(id) && next > Date.now()
    readBy(isCovered ? next : Date.now() + Math.random() * SPREAD_MS)
  }

  function readBy(time: number): void {
    if (time >= due) return
    clearTimeout(timer)
    due = time
    timer = setTimeout(read, time - Date.now())
  }

  function cancel(): void {
    clearTimeout(timer)
    due = Number.POSITIVE_INFINITY
  }

  async function read(): Promise<void> {
    const startedAt = Date.now()
    readAt = startedAt
    covered = new Set(watched)
    cancel()
    const answer = await request()
    // A later request knows better.
    if (readAt !== startedAt) return
    setLooks(answer)
    for (const id of watched) plan(id)
  }

  async function request(): Promise<Looks['looks']> {
    try {
      return (await fetchLooks()).looks
    } catch (error) {
      if (error instanceof ChannelFeedError) return {}
      throw error
    }
  }

  return { looks, watch }
}
