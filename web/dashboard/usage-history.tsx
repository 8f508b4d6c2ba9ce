// The last days: three charts with a shared cursor, and a table of all numbers.
import { A } from '@solidjs/router'
import { createSignal, For, type JSX, Show } from 'solid-js'
import type { UsageChannel, UsageDay } from '../../shared/usage.ts'
import { formatNumber, formatWeekday } from '../lib/format.ts'
import { ChannelIcon } from '../ui/channel-name.tsx'
import { Notice } from '../ui/notice.tsx'
import { type Series, UsageChart } from './usage-chart.tsx'
import { type Count, totalOf } from './usage-columns.ts'
import './table.css'
import './usage-history.css'

const CHARTS: { title: string; series: Series[] }[] = [
  { title: 'Cards pushed', series: [{ count: 'cards', one: 'card', many: 'cards', look: 'main' }] },
  {
    title: 'Interactions',
    series: [{ count: 'interactions', one: 'interaction', many: 'interactions', look: 'main' }],
  },
  {
    title: 'Webhook deliveries',
    series: [
      { count: 'delivered', one: 'delivered', many: 'delivered', look: 'main' },
      { count: 'failed', one: 'failed', many: 'failed', look: 'failed' },
    ],
  },
]

const COLUMNS: [Count, string][] = [
  ['cards', 'Cards'],
  ['channels', 'Channels'],
  ['interactions', 'Interactions'],
  ['delivered', 'Delivered'],
  ['failed', 'Failed'],
]

/** `numbers`: a table in place of the charts. */
export function UsageHistorySection(props: {
  days: UsageDay[]
  channels: UsageChannel[]
  numbers: boolean
}): JSX.Element {
  const [picked, setPicked] = createSignal<number>()
  return (
    <Show
      when={COLUMNS.some(([count]) => totalOf(props.days, count) > 0)}
      fallback={
        <Notice title={`No activity in the last ${props.days.length} days`} heading="h3">
          <p>Cards, interactions and deliveries appear here, day by day.</p>
        </Notice>
      }
    >
      <Show when={!props.numbers} fallback={<Numbers days={props.days} />}>
        <div class="charts">
          <For each={CHARTS}>
            {({ title, series }) => (
              <UsageChart
                title={title}
                series={series}
                days={props.days}
                picked={picked()}
                onPick={setPicked}
              />
            )}
          </For>
        </div>
      </Show>
      <ByChannel channels={props.channels} />
    </Show>
  )
}

/** With a soft hyphen, for a screen of 320 px. */
const CHANNEL_COLUMNS = [
  ['interactions', 'Inter\u00ADactions'],
  ['delivered', 'Delivered'],
  ['failed', 'Failed'],
] as const

function ByChannel(props: { channels: UsageChannel[] }): JSX.Element {
  return (
    <Show when={props.channels.length > 0}>
      <section class="by-channel" aria-labelledby="by-channel">
        <h3 id="by-channel">Busiest channels</h3>
        <div class="surface surface-wide">
          <table class="grid-table by-channel-table">
            <thead>
              <tr>
                <th scope="col">Channel</th>
                <For each={CHANNEL_COLUMNS}>{([, name]) => <th scope="col">{name}</th>}</For>
              </tr>
            </thead>
            <tbody>
              <For each={props.channels}>
                {channel => (
                  <tr>
                    <th scope="row">
                      <A class="across" href={`/dashboard/channels/${channel.id}/log`}>
                        <ChannelIcon icon={channel.icon} />
                        <span class="cut" dir="auto">
                          {channel.name}
                        </span>
                      </A>
                    </th>
                    <For each={CHANNEL_COLUMNS}>
                      {([count]) => (
                        <td classList={{ 'by-channel-failed': count === 'failed' && channel.failed > 0 }}>
                          {formatNumber(channel[count])}
                        </td>
                      )}
                    </For>
                  </tr>
                )}
              </For>
            </tbody>
          </table>
        </div>
      </section>
    </Show>
  )
}

function Numbers(props: { days: UsageDay[] }): JSX.Element {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a box that scrolls must be reachable by keyboard
    <section class="numbers-box" tabIndex={0} aria-label="The last days in numbers">
      <table class="table box numbers-table">
        <thead>
          <tr>
            <th scope="col">Day (UTC)</th>
            <For each={COLUMNS}>{([, name]) => <th scope="col">{name}</th>}</For>
          </tr>
        </thead>
        <tbody>
          <For each={props.days.toReversed()}>
            {day => (
              <tr>
                <th scope="row">{formatWeekday(day.day)}</th>
                <For each={COLUMNS}>{([count]) => <td>{formatNumber(day[count])}</td>}</For>
              </tr>
            )}
          </For>
        </tbody>
        <tfoot>
          <tr>
            <th scope="row">Total</th>
            <For each={COLUMNS}>{([count]) => <td>{formatNumber(totalOf(props.days, count))}</td>}</For>
          </tr>
        </tfoot>
      </table>
    </section>
  )
}
