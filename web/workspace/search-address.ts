// How what one looks for among a workspace's channels stands in its address: `?q=<words>&filter.<key>=<value>`. Pure.
import type { Chosen } from './matching.ts'

export type Sought = { words: string; chosen: Chosen }

/** So much is kept of the words: an address must not grow beyond what servers read. */
export const WORDS_MAX = 200
const WORDS = 'q'
const FILTER = 'filter.'

/** Without `?`, and empty where nothing is looked for; one query for one choice, in whatever order it was made. */
export function queryOf({ words, chosen }: Sought): string {
  const params = new URLSearchParams()
  const kept = words.trim().slice(0, WORDS_MAX)
  if (kept !== '') params.set(WORDS, kept)
  for (const [key, value] of [...chosen].sort(([a], [b]) => (a < b ? -1 : 1))) params.set(FILTER + key, value)
  return params.toString()
}

export function soughtIn(search: string): Sought {
  const params = new URLSearchParams(search)
  const chosen = new Map<string, string>()
  for (const [name, value] of params)
    if (name.startsWith(FILTER)) chosen.set(name.slice(FILTER.length), value)
  return { words: (params.get(WORDS) ?? '').slice(0, WORDS_MAX), chosen }
}

/** The path of a workspace's page with the channel that is open and what is looked for. */
export function addressOf(path: string, channel: string | undefined, query: string): string {
  const open = channel === undefined ? '' : `channel=${encodeURIComponent(channel)}`
  const parts = [open, query].filter(part => part !== '')
  return parts.length === 0 ? path : `${path}?${parts.join('&')}`
}
