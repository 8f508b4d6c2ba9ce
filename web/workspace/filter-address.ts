// The filters of a workspace's page in its address: `?q=<text>&filter.<key>=<value>`. Pure.
import type { ChosenValues } from './matching.ts'

export type Filters = { text: string; values: ChosenValues }

/** Servers don't accept very long addresses. */
export const TEXT_MAX = 200
const TEXT = 'q'
const VALUE = 'filter.'

/** Without `?`. The order in which people chose the filters doesn't matter. */
export function queryOf({ text, values }: Filters): string {
  const params = new URLSearchParams()
  const trimmed = text.trim().slice(0, TEXT_MAX)
  if (trimmed !== '') params.set(TEXT, trimmed)
  for (const [key, value] of [...values].sort(([a], [b]) => (a < b ? -1 : 1))) params.set(VALUE + key, value)
  return params.toString()
}

export function filtersIn(search: string): Filters {
  const params = new URLSearchParams(search)
  const values = [...params].filter(([name]) => name.startsWith(VALUE))
  return {
    text: (params.get(TEXT) ?? '').slice(0, TEXT_MAX),
    values: new Map(values.map(([name, value]) => [name.slice(VALUE.length), value])),
  }
}

/** The other parameters of an address: the open channel, and what it shows. */
export function withoutFilters(search: string): string {
  const params = new URLSearchParams(search)
  for (const name of [...params.keys()]) if (name === TEXT || name.startsWith(VALUE)) params.delete(name)
  return params.toString()
}

export const openChannel = (id: string) => `channel=${encodeURIComponent(id)}`

/** `open` and `query` are without `?`. */
export function addressOf(path: string, open: string, query: string): string {
  const parts = [open, query].filter(part => part !== '')
  return parts.length === 0 ? path : `${path}?${parts.join('&')}`
}
