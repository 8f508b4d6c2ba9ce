// Whether the agent that asked a question still waits for the answer. Only questions on the screen are of interest.
import {
  type Accessor,
  createEffect,
  createMemo,
  createRoot,
  createSignal,
  onCleanup,
  onMount,
} from 'solid-js'
import type { Decision } from '../../../shared/decision.ts'
import type { Look } from '../../../shared/looks.ts'
import { isUpToDate } from '../../lib/reconnect.ts'
import { type CardHost, useCardHost } from '../card-host.ts'
import { type LooksReader, makeLooksReader } from './looks-reader.ts'

const isPageVisible = createRoot(() => {
  const read = () => document.visibilityState === 'visible'
  const [isVisible, setVisible] = createSignal(read())
  document.addEventListener('visibilitychange', () => setVisible(read()))
  return isVisible
})

/** The questions of a channel share one. */
const readers = new WeakMap<CardHost, LooksReader>()

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
