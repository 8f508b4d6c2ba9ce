// Whether the agents that asked still wait for the answers. The server is asked about the questions on the screen only.
import {
  type Accessor,
  createEffect,
  createMemo,
  createRoot,
  createSignal,
  onCleanup,
  onMount,
} from 'solid-js'
import { ChannelFeedError } from '../../../client/errors.ts'
import type { Decision } from '../../../shared/decision.ts'
import type { Look, Looks } from '../../../shared/looks.ts'
import { isUpToDate } from '../../lib/reconnect.ts'
import { type CardHost, useCardHost } from '../card-host.ts'

const PAUSE_MS = 20_000
/** A new question comes onto many screens at the same moment. */
const SPREAD_MS = 2_000

const isPageVisible = createRoot(() => {
  const read = () => document.visibilityState === 'visible'
  const [isVisible, setVisible] = createSignal(read())
  document.addEventListener('visibilitychange', () => setVisible(read()))
  return isVisible
})

/** The questions of a channel share one. */
const readers = new WeakMap<CardHost, LooksReader>()

type LooksReader = ReturnType<typeof makeLooksReader>

/** What is known about the agent that asked. `group`: the question's element. */
export function createAgentLook(
  decision: Accessor<Decision>,
  group: () => HTMLElement | undefined,
): Accessor<Look | undefined> {
  const host = useCardHost()
  const { fetchLooks } = host
  if (!fetchLooks) return () => undefined
  const reader = readers.get(host) ?? makeLooksReader(fetchLooks)
  readers.set(host, reader)
  const isOnScreen = createOnScreen(group)
  const id = createMemo(() => decision().id)
  const isOfInterest = createMemo(
    () => decision().state === 'waiting' && isOnScreen() && isPageVisible() && isUpToDate(host.link()),
  )
  createEffect(() => isOfInterest() && onCleanup(reader.watch(id())))
  return () => reader.looks()[id()]
}

function createOnScreen(element: () => HTMLElement | undefined): Accessor<boolean> {
  const [isOnScreen, setOnScreen] = createSignal(false)
  const observer = new IntersectionObserver(entries => setOnScreen(entries.at(-1)?.isIntersecting ?? false))
  onMount(() => {
    const one = element()
    if (one) observer.observe(one)
  })
  onCleanup(() => observer.disconnect())
  return isOnScreen
}

function makeLooksReader(fetchLooks: () => Promise<Looks>) {
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
