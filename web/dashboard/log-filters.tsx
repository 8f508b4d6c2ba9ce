// The filters of a log: words, type, delivery status and time. The address keeps them.
import { useSearchParams } from '@solidjs/router'
import { createMemo, For, type JSX, Show } from 'solid-js'
import type { InteractionQuery } from '../data/owner-requests.ts'
import { STATUS_LABELS } from './delivery-view.tsx'
import { FindField } from './find-field.tsx'
import { TYPE_LABELS } from './interaction-text.ts'
import { createTyping } from './typing.ts'

/** The parameters of the address. `since` is a number of days or `range`; `from` and `to` are days of a range. */
type Params = Record<'search' | 'type' | 'status' | 'since' | 'from' | 'to', string>
type Name = keyof Params

const NONE: Params = { search: '', type: '', status: '', since: '', from: '', to: '' }
const SINCE: Record<string, string> = {
  '1': 'Last 24 hours',
  '7': 'Last 7 days',
  '30': 'Last 30 days',
  range: 'Choose days…',
}
const DAY_MS = 86_400_000

const SELECTS = [
  { name: 'type', label: 'Type', all: 'All types', options: TYPE_LABELS },
  { name: 'status', label: 'Delivery', all: 'Any delivery', options: STATUS_LABELS },
  { name: 'since', label: 'Time', all: 'Any time', options: SINCE },
] as const

export function createLogFilters() {
  const [search, setSearch] = useSearchParams<Params>()
  const params = createMemo((): Params => {
    const read = (name: Name) => (typeof search[name] === 'string' ? search[name] : '')
    return {
      search: read('search'),
      type: knownOr(TYPE_LABELS, read('type')),
      status: knownOr(STATUS_LABELS, read('status')),
      since: knownOr(SINCE, read('since')),
      from: dayOr(read('from')),
      to: dayOr(read('to')),
    }
  })
  const query = createMemo((): InteractionQuery => {
    const { since, from, to, ...others } = params()
    return { ...others, ...timesOf(since, from, to) }
  })
  return {
    params,
    query,
    isFiltered: () => Object.values(params()).some(value => value !== ''),
    set: (changed: Partial<Params>) => setSearch(changed, { replace: true }),
    clear: () => setSearch(NONE, { replace: true }),
  }
}

export type LogFilters = ReturnType<typeof createLogFilters>

export function LogFilterBar(props: {
  filters: LogFilters
  stale: string | undefined
  /** Buttons at the end. */
  children: JSX.Element
}): JSX.Element {
  const { params, set } = props.filters
  const typing = createTyping(
    () => params().search,
    search => set({ search }),
  )
  return (
    <div class="list-tools">
      <FindField label="Find in the log" value={typing.text()} onInput={typing.type} />
      <For each={SELECTS}>
        {({ name, label, all, options }) => (
          <div class="field filter">
            <select aria-label={label} onChange={event => set({ [name]: event.currentTarget.value })}>
              <option value="">{all}</option>
              <For each={Object.entries(options)}>
                {([value, text]) => (
                  <option value={value} selected={value === params()[name]}>
                    {text}
                  </option>
                )}
              </For>
            </select>
          </div>
        )}
      </For>
      <Show when={params().since === 'range'}>
        <Day label="From" value={params().from} onPick={from => set({ from })} />
        <Day label="To" value={params().to} onPick={to => set({ to })} />
      </Show>
      <p class="list-tools-end" role="status">
        {props.stale ? `Not up to date. ${props.stale}` : ''}
      </p>
      {props.children}
    </div>
  )
}

function Day(props: { label: string; value: string; onPick: (day: string) => void }): JSX.Element {
  return (
    <label class="field filter filter-day">
      {props.label}
      <input type="date" value={props.value} onChange={event => props.onPick(event.currentTarget.value)} />
    </label>
  )
}

/** The times of a choice, in the viewer's time zone. The last day counts whole. */
export function timesOf(
  since: string,
  from: string,
  to: string,
  now = Date.now(),
): { from: string; to: string } {
  if (since === '') return { from: '', to: '' }
  if (since !== 'range') return { from: new Date(now - Number(since) * DAY_MS).toISOString(), to: '' }
  const start = from === '' ? '' : new Date(`${from}T00:00`).toISOString()
  if (to === '') return { from: start, to: '' }
  const end = new Date(`${to}T00:00`)
  end.setDate(end.getDate() + 1)
  return { from: start, to: end.toISOString() }
}

const knownOr = (labels: Record<string, string>, value: string) => (Object.hasOwn(labels, value) ? value : '')
const dayOr = (value: string) => (Number.isNaN(Date.parse(`${value}T00:00`)) ? '' : value)
