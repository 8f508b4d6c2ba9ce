// A small chart of the last days: a column for each. The values of a day are read by pointing at it or, from the
// keyboard and with a screen reader, by stepping through the days: it is a slider to them.
import { createMemo, createUniqueId, For, type JSX, Show } from 'solid-js'
import type { UsageDay } from '../../shared/usage.ts'
import { countOf, formatDay, formatNumber, formatWeekday } from '../lib/format.ts'
import { type Count, columnsOf, highest, totalOf } from './usage-columns.ts'

/** The words stand behind a number: `1 card`, `12 cards`. */
export type Series = { count: Count; one: string; many: string; look: 'main' | 'failed' }

export type UsageChartProps = {
  title: string
  /** From the bottom up. */
  series: Series[]
  days: UsageDay[]
  /** The day that is pointed at, in this chart or beside it; undefined: none. */
  picked: number | undefined
  onPick: (index: number | undefined) => void
}

export function UsageChart(props: UsageChartProps): JSX.Element {
  const id = createUniqueId()
  const counts = () => props.series.map(({ count }) => count)
  const top = createMemo(() => highest(props.days, counts()))
  const last = () => props.days.length - 1
  const index = () => Math.min(props.picked ?? last(), last())
  const isEmpty = () => counts().every(count => totalOf(props.days, count) === 0)

  return (
    <section class="chart" aria-labelledby={id}>
      <header class="chart-head">
        <h3 id={id}>{props.title}</h3>
        <p class="chart-words">
          <For each={props.series}>
            {series => <Words series={series} value={totalOf(props.days, series.count)} of={props.series} />}
          </For>
        </p>
        <p class="chart-words chart-day">
          <Show when={!isEmpty() && props.days[index()]}>
            {day => (
              <>
                <span class="quiet">{index() === last() ? 'Today' : formatWeekday(day().day)}</span>
                <For each={props.series}>
                  {series => <Words series={series} value={day()[series.count]} of={props.series} />}
                </For>
              </>
            )}
          </Show>
        </p>
      </header>
      <Show
        when={!isEmpty()}
        fallback={<p class="chart-none quiet">None in these {formatNumber(props.days.length)} days.</p>}
      >
        <div class="chart-plot">
          <span class="chart-top quiet" aria-hidden="true">
            {formatNumber(top())}
          </span>
          <input
            class="chart-range"
            type="range"
            min={0}
            max={last()}
            value={index()}
            aria-labelledby={id}
            aria-valuetext={valueText(props.days[index()], props.series)}
            onFocus={() => props.onPick(index())}
            onInput={event => props.onPick(event.currentTarget.valueAsNumber)}
            onBlur={() => props.onPick(undefined)}
          />
          <Columns {...props} top={top()} />
        </div>
        <p class="chart-ends quiet" aria-hidden="true">
          <span>{formatDay(props.days[0]?.day ?? '')}</span>
          <span>Today</span>
        </p>
      </Show>
    </section>
  )
}

function Columns(props: UsageChartProps & { top: number }): JSX.Element {
  const columns = () =>
    columnsOf(
      props.days,
      props.series.map(({ count }) => count),
      props.top,
    )

  function onPoint(event: PointerEvent & { currentTarget: SVGSVGElement }): void {
    const { left, width } = event.currentTarget.getBoundingClientRect()
    const index = Math.floor(((event.clientX - left) / width) * props.days.length)
    props.onPick(Math.max(0, Math.min(props.days.length - 1, index)))
  }

  return (
    <svg
      class="chart-columns"
      viewBox={`0 0 ${props.days.length} 100`}
      preserveAspectRatio="none"
      aria-hidden="true"
      onPointerDown={onPoint}
      onPointerMove={onPoint}
      onPointerLeave={event => event.pointerType === 'mouse' && props.onPick(undefined)}
    >
      <Show when={props.picked !== undefined}>
        <rect class="chart-picked" x={props.picked} y={0} width={1} height={100} />
      </Show>
      <For each={columns()}>
        {(parts, index) => (
          <For each={parts}>
            {({ y, height }, part) => (
              <rect
                class={`chart-${props.series[part()]?.look}`}
                x={index() + 0.14}
                y={y}
                width={0.72}
                height={height}
              />
            )}
          </For>
        )}
      </For>
    </svg>
  )
}

/** A number with its swatch and its label. The only series of a chart needs no swatch. */
function Words(props: { series: Series; value: number; of: Series[] }): JSX.Element {
  return (
    <span class="chart-value">
      <Show when={props.of.length > 1}>
        <span class={`swatch-small chart-${props.series.look}`} aria-hidden="true" />
      </Show>
      <strong>{formatNumber(props.value)}</strong> {labelOf(props.series, props.value)}
    </span>
  )
}

const labelOf = ({ one, many }: Series, value: number) => (value === 1 ? one : many)

function valueText(day: UsageDay | undefined, series: Series[]): string {
  if (!day) return ''
  const values = series.map(({ count, one, many }) => countOf(day[count], one, many))
  return `${formatWeekday(day.day)}: ${values.join(', ')}`
}
