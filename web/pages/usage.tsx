// The user's limits, and the activity of the last days.
import { For, type JSX, Show } from 'solid-js'
import type { Meter, Usage } from '../../shared/usage.ts'
import { DashboardPage } from '../dashboard/dashboard-page.tsx'
import { UsageHistory } from '../dashboard/usage-history.tsx'
import { fetchUsage, fetchUsageDays } from '../data/owner-client.ts'
import { formatNumber, formatTime } from '../lib/format.ts'
import { Button } from '../ui/button.tsx'
import { createFreshLoad, Loaded } from '../ui/load.tsx'
import { Skeletons } from '../ui/skeletons.tsx'
import './usage.css'

export function UsagePage(): JSX.Element {
  const limits = createFreshLoad(fetchUsage)
  const history = createFreshLoad(fetchUsageDays)
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
        waiting={<Skeletons label="Loading the limits" count={1} height="17.5rem" />}
      >
        {usage => (
          <>
            <ul class="meters">
              <For each={metersOf(usage())}>{([name, meter]) => <MeterView name={name} meter={meter} />}</For>
            </ul>
            <p class="quiet">
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
          <h2 id="history">The last 30 days</h2>
          <Loaded
            load={history.load()}
            again={history.again}
            waiting={<Skeletons label="Loading the charts" count={1} height="38rem" />}
          >
            {days => <UsageHistory days={days()} />}
          </Loaded>
        </section>
      </Show>
    </DashboardPage>
  )
}

const metersOf = (usage: Usage): [string, Meter][] => [
  ['Cards pushed today', usage.cards],
  ['Channels created today', usage.channels],
  ['Workspaces', usage.workspaces],
]

function MeterView(props: { name: string; meter: Meter }): JSX.Element {
  const text = () => {
    const { used, limit } = props.meter
    return formatNumber(used) + (limit === null ? ', no limit' : ` of ${formatNumber(limit)}`)
  }
  return (
    <li class="meter box" classList={{ 'meter-full': isFull(props.meter) }}>
      <p class="meter-text">
        <span>{props.name}</span>
        <span>{text()}</span>
      </p>
      <Show when={props.meter.limit}>
        {limit => (
          <progress max={limit()} value={Math.min(props.meter.used, limit())} aria-label={props.name} />
        )}
      </Show>
      <Show when={isFull(props.meter)}>
        <p class="hint">Limit reached. Requests return 429.</p>
      </Show>
    </li>
  )
}

const isFull = ({ used, limit }: Meter) => limit !== null && used >= limit
