// The filters of a workspace's page, kept in the address: they survive a reload and go along with a link. They replace
// the current history entry, so that Back doesn't step through them.
import { useLocation, useNavigate } from '@solidjs/router'
import { batch, createComputed, createEffect, createMemo, createSignal, on, onCleanup } from 'solid-js'
import { addressOf, filtersIn, queryOf } from './filter-address.ts'
import type { ChosenValues } from './matching.ts'

/** Browsers don't allow an address that changes with every key. */
const SAVE_MS = 250

export function createFilters() {
  const location = useLocation()
  const navigate = useNavigate()
  const path = location.pathname
  const first = filtersIn(location.search)
  const [text, setText] = createSignal(first.text)
  const [values, setValues] = createSignal<ChosenValues>(first.values)
  const query = createMemo(() => queryOf({ text: text(), values: values() }))
  /** The query in this page's address. The address of the next page doesn't change it. */
  const savedQuery = createMemo<string>(
    before => (location.pathname === path ? queryOf(filtersIn(location.search)) : before),
    queryOf(first),
  )
  let written: string | undefined
  let timer: ReturnType<typeof setTimeout> | undefined

  createEffect(on(query, saveSoon, { defer: true }))
  createComputed(on(savedQuery, follow, { defer: true }))
  onCleanup(() => clearTimeout(timer))

  function saveSoon(): void {
    clearTimeout(timer)
    timer = setTimeout(save, SAVE_MS)
  }

  function save(): void {
    clearTimeout(timer)
    if (location.pathname !== path || query() === savedQuery()) return
    written = query()
    const channel = new URLSearchParams(location.search).get('channel') ?? undefined
    navigate(addressOf(path, channel, query()), { replace: true, scroll: false, state: location.state })
  }

  /** Back, forward and links bring their own filters. Our own writing may be older than what was typed since. */
  function follow(now: string): void {
    const own = now === written
    written = undefined
    if (own || now === query()) return
    const filters = filtersIn(now)
    batch(() => {
      setText(filters.text)
      setValues(filters.values)
    })
  }

  /** `save`: at once, because the next step may leave the page. */
  return { text, setText, values, setValues, query, save }
}
