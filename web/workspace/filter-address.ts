// The filters of a workspace's page in its address: `?only=<state>&q=<text>&filter.<key>=<value>`. Pure.
import type { ChosenValues } from './matching.ts'

/** Which channels are listed: all, those with unread cards, or those where decisions wait. */
export const STATES = ['all', 'unread', 'waiting'] as const
export type ChannelState = (typeof STATES)[number]
export type Filters = { state: ChannelState; text: string; values: ChosenValues }

/** Servers don't accept very long addresses. */
export const TEXT_MAX = 200
const STATE = 'only'
const TEXT = 'q'
const VALUE = 'filter.'

/** Without `?`. The order in which people chose the filters doesn't matter. */
export function queryOf({ state, text, values }: Filters): string {
  const params = new URLSearchParams()
  if (state !== 'all') params.set(STATE, state)
  const trimmed = text.trim().slice(0, TEXT_MAX)
  if (trimmed !== '') params.set(TEXT, trimmed)
  for (const [key, value] of [...values].sort(([a], [b]) => (a < b ? -1 : 1))) params.set(VALUE + key, value)
  return params.toString()
}

export function filtersIn(search: string): Filters {
  const params = new URLSearchParams(search)
  const values = [...params].filter(([name]) => name.startsWith(VALUE))
  return {
    state: STATES.find(state => state === params.get(STATE)) ?? 'all',
    text: (params.get(TEXT) ?? '').slice(0, TEXT_MAX),
    values: new Map(values.map(([name, value]) => [name.slice(VALUE.length), value])),
  }
}

/** The other parameters of an address: the open channel, and what it shows. */
export function withoutFilters(search: string): string {
  const params = new URLSearchParams(search)
  for (const name of [...params.keys()])
    if (name === STATE || name === TEXT || name.startsWith(VALUE)) params.delete(name)
  return params.toString()
}

export const openChannelQuery = (id: string) => `channel=${encodeURIComponent(id)}`

/** `open` and `query` are without `?`. */
export function addressOf(path: string, open: string, query: string): string {
  const parts = [open, query].filter(part => part !== '')
  return parts.length === 0 ? path : `${path}?${parts.join('&')}`
}
