// The log of one channel: its interactions, newest first, and their deliveries.
import { useSearchParams } from '@solidjs/router'
import { createMemo, For, type JSX, Show } from 'solid-js'
import { STATUS_LABELS } from '../dashboard/delivery-view.tsx'
import { createInteractionLog, type LogFilter } from '../dashboard/interaction-log.ts'
import { TYPE_LABELS } from '../dashboard/interaction-text.ts'
import { LogEntryView } from '../dashboard/log-entry.tsx'
import { ChannelPages } from '../dashboard/settings-page.tsx'
import { Button } from '../ui/button.tsx'
import { Loaded, readyValue } from '../ui/load.tsx'
import { Notice } from '../ui/notice.tsx'
import { Skeletons } from '../ui/skeletons.tsx'
import './channel-log.css'

type Log = ReturnType<typeof createInteractionLog>

const FILTERS = [
  { name: 'type', label: 'Type', all: 'All types', options: TYPE_LABELS },
  { name: 'status', label: 'Status', all: 'Any status', options: STATUS_LABELS },
] as const

export function ChannelLogPage(props: { id: string }): JSX.Element {
  return <ChannelPages id={props.id}>{() => <ChannelLog id={props.id} />}</ChannelPages>
}

function ChannelLog(props: { id: string }): JSX.Element {
  const [search, setSearch] = useSearchParams<{ type: string; status: string }>()
  const filter = (): LogFilter => ({
    type: keyOf(TYPE_LABELS, search.type),
    status: keyOf(STATUS_LABELS, search.status),
  })
  const setFilter = (changed: Partial<LogFilter>) => setSearch(changed, { replace: true })
  const log = createInteractionLog(props.id, filter)
  const stale = () => readyValue(log.state())?.stale
  return (
    <>
      <div class="toolbar line">
        <For each={FILTERS}>
          {({ name, label, all, options }) => (
            <label class="field">
              <span class="sr-only">{label}</span>
              <select onChange={event => setFilter({ [name]: event.currentTarget.value })}>
                <option value="">{all}</option>
                <For each={Object.entries(options)}>
                  {([value, label]) => (
                    <option value={value} selected={value === filter()[name]}>
                      {label}
                    </option>
                  )}
                </For>
              </select>
            </label>
          )}
        </For>
        <p class="quiet" role="status">
          {stale() ? `Not up to date. ${stale()}` : ''}
        </p>
      </div>
      <Loaded
        load={log.state()}
        again={log.again}
        waiting={<Skeletons label="Loading the log" height="2.25rem" />}
      >
        {() => (
          <Show
            when={log.entries.length > 0}
            fallback={
              <NoEntries
                filtered={filter().type !== '' || filter().status !== ''}
                onClear={() => setFilter({ type: '', status: '' })}
              />
            }
          >
            <ul class="log box" aria-label="Interactions, newest first">
              <For each={log.entries}>
                {entry => <LogEntryView channelId={props.id} entry={entry} onChange={log.refresh} />}
              </For>
            </ul>
          </Show>
        )}
      </Loaded>
      <Pager log={log} />
    </>
  )
}

function NoEntries(props: { filtered: boolean; onClear: () => void }): JSX.Element {
  return (
    <Show
      when={props.filtered}
      fallback={
        <Notice title="No interactions yet" heading="h2">
          <p>Presses, inputs and replies in this channel appear here, with their webhook deliveries.</p>
        </Notice>
      }
    >
      <Notice title="No matches" heading="h2">
        <p>No interaction matches these filters.</p>
        <Button onClick={props.onClear}>Clear filters</Button>
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

function keyOf(labels: Record<string, string>, value: string | string[] | undefined): string {
  return typeof value === 'string' && Object.hasOwn(labels, value) ? value : ''
}
