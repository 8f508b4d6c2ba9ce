// How much of the limits the user has used.
import { For, type JSX, Show } from 'solid-js'
import { fetchUsage, type Meter, type Usage } from '../dashboard/api.ts'
import { formatNumber, formatTime } from '../dashboard/locale.ts'
import { DashboardPage } from '../dashboard/page.tsx'
import { createLoad, Loaded } from '../shell/load.tsx'

export function UsagePage(): JSX.Element {
  const { load, again } = createLoad(fetchUsage)
  return (
    <DashboardPage
      title="Usage"
      actions={
        <button type="button" class="button button-secondary" onClick={again}>
          Refresh
        </button>
      }
    >
      <Loaded load={load()} again={again}>
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
              The day ends at 00:00 UTC, which is {formatTime(usage().resets_at)} here. All keys of yours
              count together.
            </p>
          </>
        )}
      </Loaded>
    </DashboardPage>
  )
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
