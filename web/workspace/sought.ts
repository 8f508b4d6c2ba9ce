// What one looks for among a workspace's channels, kept in the address: a filtered list survives a reload, and can be
// sent to others. It takes the place of the address before it, and adds no step to the way back.
import { useLocation, useNavigate } from '@solidjs/router'
import { batch, createComputed, createEffect, createMemo, createSignal, on, onCleanup } from 'solid-js'
import type { Chosen } from './matching.ts'
import { addressOf, queryOf, soughtIn } from './search-address.ts'

/** Browsers refuse an address that changes with every key. */
const SETTLED_MS = 250

export function createSought() {
  const location = useLocation()
  const navigate = useNavigate()
  const path = location.pathname
  const first = soughtIn(location.search)
  const [words, setWords] = createSignal(first.words)
  const [pressed, setPressed] = createSignal<Chosen>(first.chosen)
  const query = createMemo(() => queryOf({ words: words(), chosen: pressed() }))
  /** What the address of this page says; the next page's says nothing here. */
  const asked = createMemo<string>(
    before => (location.pathname === path ? queryOf(soughtIn(location.search)) : before),
    queryOf(first),
  )
  let written: string | undefined
  let timer: ReturnType<typeof setTimeout> | undefined

  createEffect(on(query, writeSoon, { defer: true }))
  createComputed(on(asked, follow, { defer: true }))
  onCleanup(() => clearTimeout(timer))

  function writeSoon(): void {
    clearTimeout(timer)
    timer = setTimeout(write, SETTLED_MS)
  }

  /** At once: the next step may lead away. */
  function write(): void {
    clearTimeout(timer)
    if (location.pathname !== path || query() === asked()) return
    written = query()
    const channel = new URLSearchParams(location.search).get('channel') ?? undefined
    navigate(addressOf(path, channel, query()), { replace: true, scroll: false, state: location.state })
  }

  /** Back, forward and links lead to what was looked for there; what was written here is known, and may be old. */
  function follow(now: string): void {
    const own = now === written
    written = undefined
    if (own || now === query()) return
    const sought = soughtIn(now)
    batch(() => {
      setWords(sought.words)
      setPressed(sought.chosen)
    })
  }

  return { words, setWords, pressed, setPressed, query, settle: write }
}
