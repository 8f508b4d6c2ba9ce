// The filters of a workspace's page and the channels that match them.
import { type Accessor, createMemo } from 'solid-js'
import type { WorkspacePage } from '../../shared/workspace-live.ts'
import { createFilters } from './filters.ts'
import { availableValues, filterGroups, hasValues, matchesText } from './matching.ts'

export type ChannelSearch = ReturnType<typeof createChannelSearch>

export function createChannelSearch(page: Accessor<WorkspacePage>) {
  const filters = createFilters()

  /** The address may hold a text even if the search field is hidden. */
  const text = () => (page().workspace.show_search ? filters.text().trim() : '')
  const values = createMemo(() =>
    availableValues(page().attribute_settings, page().channels, filters.values()),
  )
  const found = createMemo(() => new Set(page().channels.filter(channel => matchesText(channel, text()))))
  const groups = createMemo(() =>
    filterGroups(page().attribute_settings, page().channels, channel => found().has(channel), values()),
  )
  const channels = createMemo(() => [...found()].filter(channel => hasValues(channel, values())))

  function toggle(key: string, value: string): void {
    const next = new Map(values())
    if (next.get(key) === value) next.delete(key)
    else next.set(key, value)
    filters.setValues(next)
  }

  function clear(): void {
    filters.setText('')
    filters.setValues(new Map())
  }

  return { ...filters, groups, channels, toggle, clear, active: () => text() !== '' || values().size > 0 }
}
