// The filters of a workspace's page and the channels that match them.
import { type Accessor, createMemo } from 'solid-js'
import type { PageChannel, ViewedWorkspace } from '../../shared/workspace-live.ts'
import type { ChannelState } from './filter-address.ts'
import { createFilters } from './filters.ts'
import { availableValues, filterGroups, hasValues, matchesText } from './matching.ts'
import type { WorkspaceView } from './workspace-view.ts'

export type ChannelSearch = ReturnType<typeof createChannelSearch>

export function createChannelSearch(
  view: Pick<WorkspaceView, 'unread' | 'summary'>,
  page: Accessor<ViewedWorkspace>,
) {
  const filters = createFilters()
  const tests: Record<ChannelState, (channel: PageChannel) => boolean> = {
    all: () => true,
    unread: ({ id }) => view.unread(id) > 0,
    // People who only look decide nothing, so they look for what waits for others.
    waiting: channel => view.summary(channel)[page().can_act ? 'needs_you' : 'waiting'] > 0,
  }
  const count = (state: ChannelState) => page().channels.filter(tests[state]).length

  /** The address may hold a text even if the search field is hidden. */
  const text = () => (page().workspace.show_search ? filters.text().trim() : '')
  const values = createMemo(() =>
    availableValues(page().attribute_settings, page().channels, filters.values()),
  )
  let chosen: ChannelState = 'all'
  /** Channels that no longer match stay until another state is chosen. Otherwise an unread channel would vanish when it opens. */
  const inState = createMemo<ReadonlySet<string>>(before => {
    const state = filters.state()
    const kept = state === chosen ? before : new Set()
    chosen = state
    const fits = (channel: PageChannel) => kept.has(channel.id) || tests[state](channel)
    return new Set(
      page()
        .channels.filter(fits)
        .map(({ id }) => id),
    )
  }, new Set())
  const found = createMemo(
    () =>
      new Set(page().channels.filter(channel => inState().has(channel.id) && matchesText(channel, text()))),
  )
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
    filters.setState('all')
    filters.setText('')
    filters.setValues(new Map())
  }

  const active = () => filters.state() !== 'all' || text() !== '' || values().size > 0
  return { ...filters, count, groups, channels, toggle, clear, active }
}
