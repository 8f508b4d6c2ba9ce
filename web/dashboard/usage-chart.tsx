// A column chart of the last days. The day under the pointer shows its values. For keyboards and screen readers, the
// chart is a slider over the days.
import { createMemo, createUniqueId, For, type JSX, Show } from 'solid-js'
import type { UsageDay } from '../../shared/usage.ts'
import { countOf, formatDay, formatNumber, formatWeekday } from '../lib/format.ts'
import { type Count, columnsOf, scaleTop, totalOf } from './usage-columns.ts'
import './usage-chart.css'

/** The labels follow a number: `1 card`, `12 cards`. */
export type Series = { count: Count; one: string; many: string; look: 'main' | 'failed' }

type Props = {
  title: string
  series: Series[]
  days: UsageDay[]
  picked: number | undefined
  onPick: (index: number | undefined) => void
}

export function UsageChart(props: Props): JSX.Element {
  const id = createUniqueId()
  const counts = () => props.series.map(({ count }) => count)
  const top = createMemo(() => scaleTop(props.days, counts()))
  const last = () => props.days.length - 1
  const visibleDay = () => Math.min(props.picked ?? last(), last())
  const isEmpty = () => counts().every(count => totalOf(props.days, count) === 0)

  return (
    <section class="chart box" dir="ltr" aria-labelledby={id}>
      <header class="chart-head">
        <h3 id={id}>{props.title}</h3>
        <p class="chart-text line">
          <For each={props.series}>
            {series => <Value series={series} value={totalOf(props.days, series.count)} all={props.series} />}
          </For>
        </p>
        <p class="chart-text chart-day line">
          <Show when={!isEmpty() && props.days[visibleDay()]}>
            {day => (
              <>
                <span class="quiet">{visibleDay() === last() ? 'Today' : formatWeekday(day().day)}</span>
                <For each={props.series}>
                  {series => <Value series={series} value={day()[series.count]} all={props.series} />}
                </For>
              </>
            )}
          </Show>
        </p>
      </header>
      <Show
        when={!isEmpty()}
        fallback={<p class="chart-none quiet">None in the last {formatNumber(props.days.length)} days.</p>}
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
            value={visibleDay()}
            aria-labelledby={id}
            aria-valuetext={valueText(props.days[visibleDay()], props.series)}
            onFocus={() => props.onPick(visibleDay())}
            onInput={event => props.onPick(event.currentTarget.valueAsNumber)}
            onBlur={() => props.onPick(undefined)}
          />
          <Columns {...props} counts={counts()} top={top()} />
        </div>
        <p class="chart-ends fine across" aria-hidden="true">
          <span>{formatDay(props.days[0]?.day ?? '')}</span>
          <span>Today</span>
        </p>
      </Show>
    </section>
  )
}

function Columns(props: Props & { counts: Count[]; top: number }): JSX.Element {
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
      <For each={columnsOf(props.days, props.counts, props.top)}>
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

function Value(props: { series: Series; value: number; all: Series[] }): JSX.Element {
  return (
    <span>
      <Show when={props.all.length > 1}>
        <span class={`swatch-small chart-${props.series.look}`} aria-hidden="true" />
      </Show>
      <strong>{formatNumber(props.value)}</strong> {props.value === 1 ? props.series.one : props.series.many}
    </span>
  )
}

function valueText(day: UsageDay | undefined, series: Series[]): string {
  if (!day) return ''
  const values = series.map(({ count, one, many }) => countOf(day[count], one, many))
  return `${formatWeekday(day.day)}: ${values.join(', ')}`
}
