// How much of the limits the user has used, and what the last days have seen.
import { For, type JSX, Show } from 'solid-js'
import type { Meter, Usage } from '../../shared/usage.ts'
import { DashboardPage } from '../dashboard/page.tsx'
import { UsageHistory } from '../dashboard/usage-history.tsx'
import { fetchUsage, fetchUsageDays } from '../data/owner-client.ts'
import { formatNumber, formatTime } from '../lib/format.ts'
import { createFreshLoad, Loaded } from '../ui/load.tsx'

export function UsagePage(): JSX.Element {
  const limits = createFreshLoad(fetchUsage)
  const history = createFreshLoad(fetchUsageDays)
  /** Both for one reason, which is told once. */
  const bothFailed = () => limits.load().state === 'failed' && history.load().state === 'failed'

  function again(): void {
    limits.again()
    history.again()
  }

  return (
    <DashboardPage
      title="Usage"
      actions={
        <button type="button" class="button button-secondary" onClick={again}>
          Refresh
        </button>
      }
    >
      <Loaded load={limits.load()} again={again} waiting={<Waiting class="meters-waiting" what="limits" />}>
        {usage => (
          <>
            <ul class="meters">
              <For each={metersOf(usage())}>
                {([name, meter]) => (
                  <li>
                    <MeterView name={name} meter={meter} />
                  </li>
                )}
              </For>
            </ul>
            <p class="quiet">
              The day ends at 00:00 UTC
              <Show when={new Date(usage().resets_at).getTimezoneOffset() !== 0}>
                , which is {formatTime(usage().resets_at)} here
              </Show>
              . All your keys count together.
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
            waiting={<Waiting class="charts-waiting" what="charts" />}
          >
            {days => <UsageHistory days={days()} />}
          </Loaded>
        </section>
      </Show>
    </DashboardPage>
  )
}

/** As high as what comes. */
function Waiting(props: { class: string; what: string }): JSX.Element {
  return <div class={`skeleton ${props.class}`} role="status" aria-label={`Loading the ${props.what}`} />
}

const metersOf = (usage: Usage): [string, Meter][] => [
  ['Cards pushed today', usage.cards],
  ['Channels made today', usage.channels],
  ['Workspaces', usage.workspaces],
]

function MeterView(props: { name: string; meter: Meter }): JSX.Element {
  const words = () => {
    const { used, limit } = props.meter
    return limit === null
      ? `${formatNumber(used)}, no limit`
      : `${formatNumber(used)} of ${formatNumber(limit)}`
  }
  return (
    <div class="meter" classList={{ 'meter-full': isFull(props.meter) }}>
      <p class="meter-words">
        <span>{props.name}</span>
        <span>{words()}</span>
      </p>
      <Show when={props.meter.limit}>
        {limit => (
          <progress max={limit()} value={Math.min(props.meter.used, limit())} aria-label={props.name} />
        )}
      </Show>
      <Show when={isFull(props.meter)}>
        <p class="hint">Used up: more is refused with 429.</p>
      </Show>
    </div>
  )
}

const isFull = ({ used, limit }: Meter) => limit !== null && used >= limit
