// What one looks for among a workspace's channels, and the channels that are shown for it.
import { type Accessor, createMemo } from 'solid-js'
import type { WorkspacePage } from '../../shared/workspace-live.ts'
import { filterGroups, hasValues, matchesWords, stillChosen } from './matching.ts'
import { createSought } from './sought.ts'

export type ChannelSearch = ReturnType<typeof createChannelSearch>

export function createChannelSearch(page: Accessor<WorkspacePage>) {
  const { words: entered, setWords, pressed, setPressed, query, settle } = createSought()

  /** Nothing is hidden by a search box that is not there. */
  const words = () => (page().workspace.show_search ? entered().trim() : '')
  const chosen = createMemo(() => stillChosen(page().attribute_settings, page().channels, pressed()))
  const found = createMemo(() => new Set(page().channels.filter(channel => matchesWords(channel, words()))))
  const groups = createMemo(() =>
    filterGroups(page().attribute_settings, page().channels, channel => found().has(channel), chosen()),
  )
  const channels = createMemo(() => [...found()].filter(channel => hasValues(channel, chosen())))

  /** One value of a key at a time; pressed again it is let go. */
  function toggle(key: string, value: string): void {
    const next = new Map(chosen())
    if (next.get(key) === value) next.delete(key)
    else next.set(key, value)
    setPressed(next)
  }

  function clear(): void {
    setWords('')
    setPressed(new Map())
  }

  return {
    words: entered,
    setWords,
    groups,
    toggle,
    clear,
    /** It, as the address has it. */
    query,
    /** Now, while it is still this page's. */
    settle,
    /** Whether anything is looked for. */
    active: () => words() !== '' || chosen().size > 0,
    /** Those that match, in the order of the workspace. */
    channels,
  }
}
