// The log of one channel: what people did, newest first, and how it was delivered.
import { useSearchParams } from '@solidjs/router'
import { createMemo, For, type JSX, Match, Show, Switch } from 'solid-js'
import { ChannelFrame } from '../dashboard/channel-frame.tsx'
import { createLog, type LogFilter } from '../dashboard/log.ts'
import { LogEntryView } from '../dashboard/log-entry.tsx'
import { TYPE_WORDS } from '../dashboard/trigger-words.ts'
import { Loaded } from '../ui/load.tsx'
import { Notice } from '../ui/notice.tsx'

const STATUS_WORDS = { success: 'Delivered', failed: 'Failed', pending: 'Pending', held: 'Held' }

export function ChannelLogPage(props: { id: string }): JSX.Element {
  return <ChannelFrame id={props.id}>{() => <ChannelLog id={props.id} />}</ChannelFrame>
}

function ChannelLog(props: { id: string }): JSX.Element {
  const [search, setSearch] = useSearchParams<{ type: string; status: string }>()
  // What no filter can be is no filter: the address may be mistyped.
  const filter = (): LogFilter => ({
    type: known(search.type, TYPE_WORDS),
    status: known(search.status, STATUS_WORDS),
  })
  const log = createLog(props.id, filter)
  const filtered = () => filter().type !== '' || filter().status !== ''
  // It stays while a page loads, with the focus.
  const paged = createMemo<boolean>(
    before => log.hasNewer() || log.hasOlder() || (before && log.state().state === 'loading'),
    false,
  )
  const failure = () => {
    const now = log.state()
    return now.state === 'failed' ? now : undefined
  }
  const staleness = () => {
    const now = log.state()
    return now.state === 'stale' ? now.message : undefined
  }
  return (
    <>
      <div class="toolbar">
        <Filter
          label="Type"
          all="All types"
          words={TYPE_WORDS}
          value={filter().type}
          onPick={type => setSearch({ type }, { replace: true })}
        />
        <Filter
          label="Status"
          all="Any status"
          words={STATUS_WORDS}
          value={filter().status}
          onPick={status => setSearch({ status }, { replace: true })}
        />
        <p class="quiet" role="status">
          {staleness() ? `Not up to date. ${staleness()}` : ''}
        </p>
      </div>
      <Switch>
        <Match when={log.state().state === 'loading'}>
          <div class="skeletons" role="status" aria-label="Loading the log">
            <div class="skeleton skeleton-line" />
            <div class="skeleton skeleton-line" />
            <div class="skeleton skeleton-line" />
          </div>
        </Match>
        <Match when={failure()}>
          {failed => (
            <Loaded load={failed()} again={log.again}>
              {() => null}
            </Loaded>
          )}
        </Match>
        <Match when={log.entries.length === 0}>
          <EmptyLog
            filtered={filtered()}
            onClear={() => setSearch({ type: '', status: '' }, { replace: true })}
          />
        </Match>
        <Match when={true}>
          <ul class="log" aria-label="Interactions, newest first">
            <For each={log.entries}>
              {entry => <LogEntryView channelId={props.id} entry={entry} onChange={log.refresh} />}
            </For>
          </ul>
        </Match>
      </Switch>
      <Show when={paged()}>
        <nav class="pager" aria-label="Pages of the log">
          <button
            type="button"
            class="button button-secondary"
            aria-disabled={!log.hasNewer()}
            onClick={log.newer}
          >
            Newer
          </button>
          <button
            type="button"
            class="button button-secondary"
            aria-disabled={!log.hasOlder()}
            onClick={log.older}
          >
            Older
          </button>
        </nav>
      </Show>
    </>
  )
}

function EmptyLog(props: { filtered: boolean; onClear: () => void }): JSX.Element {
  return (
    <Show
      when={props.filtered}
      fallback={
        <Notice title="Nothing has happened yet" heading="h2">
          <p>
            What people press, fill in and reply in this channel appears here, with what was sent to its
            webhook and what came back.
          </p>
        </Notice>
      }
    >
      <Notice title="Nothing matches" heading="h2">
        <p>No interaction in this log fits the filter.</p>
        <button type="button" class="button button-secondary" onClick={() => props.onClear()}>
          Show all
        </button>
      </Notice>
    </Show>
  )
}

type FilterProps = {
  label: string
  all: string
  words: Record<string, string>
  value: string
  onPick: (value: string) => void
}

function Filter(props: FilterProps): JSX.Element {
  return (
    <label class="field filter">
      <span class="sr-only">{props.label}</span>
      <select onChange={event => props.onPick(event.currentTarget.value)}>
        <option value="">{props.all}</option>
        <For each={Object.entries(props.words)}>
          {([value, words]) => (
            <option value={value} selected={value === props.value}>
              {words}
            </option>
          )}
        </For>
      </select>
    </label>
  )
}

function known(given: string | string[] | undefined, words: Record<string, string>): string {
  return typeof given === 'string' && Object.hasOwn(words, given) ? given : ''
}
