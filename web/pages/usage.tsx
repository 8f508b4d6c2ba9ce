// The user's limits, and the activity of the last days.
import { useSearchParams } from '@solidjs/router'
import { createEffect, createMemo, createSignal, For, type JSX, on, Show } from 'solid-js'
import type { Meter, Usage } from '../../shared/usage.ts'
import { DashboardPage } from '../dashboard/dashboard-page.tsx'
import { UsageHistorySection } from '../dashboard/usage-history.tsx'
import { fetchUsage, fetchUsageHistory } from '../data/owner-requests.ts'
import { formatBytes, formatNumber, formatTime } from '../lib/format.ts'
import { Button } from '../ui/button.tsx'
import { createFreshLoad, Loaded } from '../ui/load.tsx'
import { Segments } from '../ui/segments.tsx'
import { Skeletons } from '../ui/skeletons.tsx'
import './usage.css'

const SPANS = { '7': '7 days', '30': '30 days', '90': '90 days' }
type Span = keyof typeof SPANS
const isSpan = (days: unknown): days is Span => typeof days === 'string' && Object.hasOwn(SPANS, days)
const USUAL = '30'

export function UsagePage(): JSX.Element {
  const limits = createFreshLoad(fetchUsage)
  const [search, setSearch] = useSearchParams<{ days: string }>()
  const span = createMemo(() => (isSpan(search.days) ? search.days : USUAL))
  const history = createFreshLoad(() => fetchUsageHistory(Number(span())))
  const [numbers, setNumbers] = createSignal(false)
  createEffect(on(span, history.again, { defer: true }))
  /** Both requests fail for the same reason, so one message is enough. */
  const bothFailed = () => limits.load().state === 'failed' && history.load().state === 'failed'

  function again(): void {
    limits.again()
    history.again()
  }

  return (
    <DashboardPage title="Usage" actions={<Button onClick={again}>Refresh</Button>}>
      {/* The placeholders are as tall as the content that replaces them. */}
      <Loaded
        load={limits.load()}
        again={again}
        waiting={<Skeletons label="Loading the limits" count={1} height="7rem" />}
      >
        {usage => (
          <>
            <ul class="meters">
              <For each={metersOf(usage())}>
                {([name, meter, format]) => <MeterView name={name} meter={meter} format={format} />}
              </For>
            </ul>
            <p class="quiet meters-note">
              Limits reset at 00:00 UTC
              <Show when={new Date(usage().resets_at).getTimezoneOffset() !== 0}>
                , which is {formatTime(usage().resets_at)} here
              </Show>
              . All your keys share them.
            </p>
          </>
        )}
      </Loaded>
      <Show when={!bothFailed()}>
        <section class="history" aria-labelledby="history">
          <header class="history-head line">
            <h2 id="history">The last {span()} days</h2>
            <Button class="button button-plain history-table" onClick={() => setNumbers(!numbers())}>
              {numbers() ? 'Show charts' : 'Show as a table'}
            </Button>
            <Segments
              label="Days"
              of={SPANS}
              value={span()}
              onPick={days =>
                setSearch({ days: days === USUAL ? undefined : days }, { replace: true, scroll: false })
              }
            />
          </header>
          <Loaded
            load={history.load()}
            again={history.again}
            waiting={<Skeletons label="Loading the charts" count={1} height="16rem" />}
          >
            {loaded => (
              <UsageHistorySection days={loaded().days} channels={loaded().channels} numbers={numbers()} />
            )}
          </Loaded>
        </section>
      </Show>
    </DashboardPage>
  )
}

const metersOf = (usage: Usage): [string, Meter, format: (amount: number) => string][] => [
  ['Cards pushed today', usage.cards, formatNumber],
  ['Channels created today', usage.channels, formatNumber],
  ['Data added today', usage.bytes, formatBytes],
  ['Workspaces', usage.workspaces, formatNumber],
]

function MeterView(props: { name: string; meter: Meter; format: (amount: number) => string }): JSX.Element {
  const limitText = () =>
    props.meter.limit === null ? ', no limit' : ` of ${props.format(props.meter.limit)}`
  // A request that would pass the limit of data is refused, so it is never reached exactly.
  const isFull = () => {
    const { used, limit } = props.meter
    return limit !== null && (used >= limit || props.format(used) === props.format(limit))
  }
  return (
    <li class="meter box" classList={{ 'meter-full': isFull() }}>
      <p class="meter-text">
        <span>{props.name}</span>
        <span>
          <b>{props.format(props.meter.used)}</b>
          {limitText()}
        </span>
      </p>
      <Show when={props.meter.limit}>
        {limit => (
          <progress max={limit()} value={Math.min(props.meter.used, limit())} aria-label={props.name} />
        )}
      </Show>
      <Show when={isFull()}>
        <p class="hint">Limit reached. Requests return 429.</p>
      </Show>
    </li>
  )
}
