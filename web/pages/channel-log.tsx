// The log of one channel: its interactions, newest first, and their deliveries.
import { useSearchParams } from '@solidjs/router'
import { createMemo, For, type JSX, Match, Show, Switch } from 'solid-js'
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
        <Filter
          label="Type"
          all="All types"
          options={TYPE_LABELS}
          value={filter().type}
          onPick={type => setFilter({ type })}
        />
        <Filter
          label="Status"
          all="Any status"
          options={STATUS_LABELS}
          value={filter().status}
          onPick={status => setFilter({ status })}
        />
        <p class="quiet" role="status">
          {stale() ? `Not up to date. ${stale()}` : ''}
        </p>
      </div>
      <Entries
        channelId={props.id}
        log={log}
        filtered={filter().type !== '' || filter().status !== ''}
        onClear={() => setFilter({ type: '', status: '' })}
      />
      <Pager log={log} />
    </>
  )
}

function Entries(props: {
  channelId: string
  log: Log
  filtered: boolean
  onClear: () => void
}): JSX.Element {
  return (
    <Loaded
      load={props.log.state()}
      again={props.log.again}
      waiting={<Skeletons label="Loading the log" height="2.25rem" />}
    >
      {() => (
        <Switch
          fallback={
            <ul class="log box" aria-label="Interactions, newest first">
              <For each={props.log.entries}>
                {entry => (
                  <LogEntryView channelId={props.channelId} entry={entry} onChange={props.log.refresh} />
                )}
              </For>
            </ul>
          }
        >
          <Match when={props.log.entries.length === 0 && props.filtered}>
            <Notice title="No matches" heading="h2">
              <p>No interaction matches these filters.</p>
              <Button onClick={props.onClear}>Clear filters</Button>
            </Notice>
          </Match>
          <Match when={props.log.entries.length === 0}>
            <Notice title="No interactions yet" heading="h2">
              <p>Presses, inputs and replies in this channel appear here, with their webhook deliveries.</p>
            </Notice>
          </Match>
        </Switch>
      )}
    </Loaded>
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

function Filter(props: {
  label: string
  all: string
  options: Record<string, string>
  value: string
  onPick: (value: string) => void
}): JSX.Element {
  return (
    <label class="field">
      <span class="sr-only">{props.label}</span>
      <select onChange={event => props.onPick(event.currentTarget.value)}>
        <option value="">{props.all}</option>
        <For each={Object.entries(props.options)}>
          {([value, label]) => (
            <option value={value} selected={value === props.value}>
              {label}
            </option>
          )}
        </For>
      </select>
    </label>
  )
}

function keyOf(labels: Record<string, string>, value: string | string[] | undefined): string {
  return typeof value === 'string' && Object.hasOwn(labels, value) ? value : ''
}
