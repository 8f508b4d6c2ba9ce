// The filters of a workspace's page, in its address. They replace the history entry, so that Back skips them.
import { useLocation, useNavigate } from '@solidjs/router'
import { batch, createComputed, createEffect, createMemo, createSignal, on, onCleanup } from 'solid-js'
import { addressOf, filtersIn, queryOf, withoutFilters } from './filter-address.ts'
import type { ChosenValues } from './matching.ts'

/** Browsers limit how often the address may change. */
const SAVE_MS = 250

export function createFilters() {
  const location = useLocation()
  const navigate = useNavigate()
  const path = location.pathname
  const first = filtersIn(location.search)
  const [state, setState] = createSignal(first.state)
  const [text, setText] = createSignal(first.text)
  const [values, setValues] = createSignal<ChosenValues>(first.values)
  const query = createMemo(() => queryOf({ state: state(), text: text(), values: values() }))
  /** Ignores the address of the next page. */
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
    const address = addressOf(path, withoutFilters(location.search), query())
    navigate(address, { replace: true, scroll: false, state: location.state })
  }

  /** Back, forward and links change the filters. An address that `save` wrote may be older than the typed text. */
  function follow(now: string): void {
    const own = now === written
    written = undefined
    if (own || now === query()) return
    const filters = filtersIn(now)
    batch(() => {
      setState(filters.state)
      setText(filters.text)
      setValues(filters.values)
    })
  }

  return { state, setState, text, setText, values, setValues, query, save }
}
