// The log of one channel: its interactions, newest first, and the details of one beside them.
import { useSearchParams } from '@solidjs/router'
import { createMemo, createUniqueId, type JSX, Show } from 'solid-js'
import type { LoggedInteraction } from '../../shared/interaction-log.ts'
import { createInteractionLog } from '../dashboard/interaction-log.ts'
import { LogActions } from '../dashboard/log-actions.tsx'
import { LogDetails } from '../dashboard/log-details.tsx'
import { createLogFilters, LogFilterBar } from '../dashboard/log-filters.tsx'
import { LogTable } from '../dashboard/log-table.tsx'
import { ChannelPages } from '../dashboard/settings-page.tsx'
import { Button } from '../ui/button.tsx'
import { Loaded, readyValue } from '../ui/load.tsx'
import { Notice } from '../ui/notice.tsx'
import { focusMain } from '../ui/page-announcement.tsx'
import { Skeletons } from '../ui/skeletons.tsx'
import './channel-log.css'

type Log = ReturnType<typeof createInteractionLog>

export function ChannelLogPage(props: { id: string }): JSX.Element {
  return (
    <ChannelPages id={props.id} wide>
      {channel => <ChannelLog id={props.id} hasWebhook={channel().webhook_url !== null} />}
    </ChannelPages>
  )
}

function ChannelLog(props: { id: string; hasWebhook: boolean }): JSX.Element {
  const [search, setSearch] = useSearchParams<{ entry: string; at: string }>()
  const filters = createLogFilters()
  const log = createInteractionLog(props.id, filters.query, () => ({
    id: search.entry,
    at: Date.parse(search.at ?? ''),
  }))
  const details = createUniqueId()
  const open = createMemo(log.openEntry)

  const show = (entry: LoggedInteraction | undefined) =>
    setSearch({ entry: entry?.interaction_id, at: entry?.timestamp }, { replace: true, scroll: false })

  function close(): void {
    const id = open()?.interaction_id
    show(undefined)
    document.getElementById(`log-${id}`)?.focus()
  }

  return (
    <>
      <LogFilterBar filters={filters} stale={readyValue(log.state())?.stale}>
        <LogActions
          channelId={props.id}
          entries={log.entries}
          hasWebhook={props.hasWebhook}
          onChange={log.refresh}
        />
      </LogFilterBar>
      <Loaded
        load={log.state()}
        again={log.again}
        waiting={<Skeletons label="Loading the log" height="2.5rem" />}
      >
        {() => (
          <Show
            when={log.entries.length > 0}
            fallback={<NoEntries filtered={filters.isFiltered()} onClear={filters.clear} />}
          >
            <Show when={search.entry !== undefined && !open()}>
              <p class="dash-about" role="status">
                Entry not found. It may be older than this page, or deleted.
              </p>
            </Show>
            <div class="log-columns">
              <div class="table-box surface surface-wide log-box">
                <LogTable
                  entries={log.entries}
                  open={open()?.interaction_id}
                  isPast={log.isPast}
                  details={details}
                  onOpen={entry => show(entry.interaction_id === search.entry ? undefined : entry)}
                />
              </div>
              <Show when={open()?.interaction_id} keyed>
                {_ => (
                  <Show when={open()}>
                    {entry => (
                      <LogDetails
                        id={details}
                        channelId={props.id}
                        entry={entry()}
                        onChange={log.refresh}
                        onClose={close}
                      />
                    )}
                  </Show>
                )}
              </Show>
            </div>
          </Show>
        )}
      </Loaded>
      <Pager log={log} />
    </>
  )
}

function NoEntries(props: { filtered: boolean; onClear: () => void }): JSX.Element {
  function clear(): void {
    // The button disappears and would lose the focus.
    focusMain()
    props.onClear()
  }

  return (
    <Show
      when={props.filtered}
      fallback={
        <Notice title="No interactions yet" heading="h2">
          <p>Presses, inputs and replies in this channel appear here, with their webhook deliveries.</p>
        </Notice>
      }
    >
      <Notice title="No results" heading="h2">
        <p>No interaction matches these filters.</p>
        <Button onClick={clear}>Clear filters</Button>
      </Notice>
    </Show>
  )
}

function Pager(props: { log: Log }): JSX.Element {
  // The buttons stay while a page loads, so that they keep the focus.
  const hasPages = createMemo<boolean>(
    before =>
      props.log.hasNewer() || props.log.hasOlder() || (before && props.log.state().state === 'loading'),
    false,
  )
  return (
    <Show when={hasPages()}>
      <nav class="pager line" aria-label="Pages of the log">
        <Button aria-disabled={!props.log.hasNewer()} onClick={props.log.newer}>
          Newer
        </Button>
        <Button aria-disabled={!props.log.hasOlder()} onClick={props.log.older}>
          Older
        </Button>
      </nav>
    </Show>
  )
}
