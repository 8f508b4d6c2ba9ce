// The entries of a log as a table, by day: when, what, who, and how the delivery went. A row opens its details.
import { For, type JSX, Show } from 'solid-js'
import { Dynamic } from 'solid-js/web'
import type { LoggedInteraction } from '../../shared/interaction-log.ts'
import { useSession } from '../data/session.tsx'
import { formatClock, formatDateTime, formatLongDay } from '../lib/format.ts'
import { initialsOf } from '../lib/initials.ts'
import { DeliveryStatusText } from './delivery-view.tsx'
import { TYPE_ICONS } from './interaction-icons.ts'
import { type Actor, actorOf, TYPE_LABELS, triggerText } from './interaction-text.ts'
import '../ui/avatar.css'
import './log-table.css'

type Props = {
  entries: LoggedInteraction[]
  open: string | undefined
  /** The filter no longer finds the entry, which stays. */
  isPast: (entry: LoggedInteraction) => boolean
  /** The id of the element with the details. */
  details: string
  onOpen: (entry: LoggedInteraction) => void
}

export function LogTable(props: Props): JSX.Element {
  const dayAt = (index: number) => formatLongDay(props.entries[index]?.timestamp ?? '')
  const beginsDay = (index: number) => index === 0 || dayAt(index) !== dayAt(index - 1)
  return (
    <table class="grid-table log-table" aria-label="Interactions, newest first">
      <colgroup>
        <col class="log-col-time" />
        <col />
        <col class="log-col-who" />
        <col class="log-col-state" />
      </colgroup>
      <thead>
        <tr>
          <th scope="col">Time</th>
          <th scope="col">What</th>
          <th scope="col">Who</th>
          <th scope="col">Delivery</th>
        </tr>
      </thead>
      <tbody>
        <For each={props.entries}>
          {(entry, index) => (
            <>
              <Show when={beginsDay(index())}>
                <tr class="day-row">
                  <th colSpan={4} scope="colgroup">
                    {dayText(dayAt(index()))}
                  </th>
                </tr>
              </Show>
              <Row {...props} entry={entry} />
            </>
          )}
        </For>
      </tbody>
    </table>
  )
}

function Row(props: Props & { entry: LoggedInteraction }): JSX.Element {
  const { trigger, interaction_id } = props.entry
  const isOpen = () => props.open === interaction_id
  return (
    <tr classList={{ 'log-row-open': isOpen(), 'log-row-past': props.isPast(props.entry) }}>
      <td class="log-cell-time">
        <time dateTime={props.entry.timestamp} title={formatDateTime(props.entry.timestamp)}>
          {formatClock(props.entry.timestamp)}
        </time>
      </td>
      <td class="log-cell-what">
        <button
          type="button"
          class="row-cover log-open across"
          id={`log-${interaction_id}`}
          aria-expanded={isOpen()}
          aria-controls={isOpen() ? props.details : undefined}
          onClick={() => props.onOpen(props.entry)}
        >
          <span class="log-type" title={TYPE_LABELS[trigger.type]}>
            <Dynamic component={TYPE_ICONS[trigger.type]} />
          </span>
          <span class="sr-only">{TYPE_LABELS[trigger.type]}: </span>
          <span class="cut" dir="auto">
            {triggerText(trigger)}
          </span>
        </button>
      </td>
      <td class="log-cell-who">
        <Who entry={props.entry} />
      </td>
      <td class="log-cell-state">
        <DeliveryStatusText delivery={props.entry.deliveries[0]} short />
      </td>
    </tr>
  )
}

export function Who(props: { entry: LoggedInteraction; long?: boolean }): JSX.Element {
  const { user } = useSession()
  const isMe = () => props.entry.by.user_id !== null && props.entry.by.user_id === user()?.id
  const textOf = (actor: Actor) => {
    if (!isMe()) return props.long ? actor.long : actor.short
    return props.long && props.entry.user ? `You (${props.entry.user.email})` : 'You'
  }
  const initials = (actor: Actor) => {
    if (isMe()) return initialsOf(user()?.name ?? actor.short)
    return actor.short === 'Someone' ? '?' : initialsOf(actor.short)
  }
  return (
    <Show when={actorOf(props.entry)} fallback={<span class="quiet">–</span>}>
      {actor => (
        <span class="who">
          <span
            class="avatar"
            classList={{ 'avatar-me': isMe(), 'avatar-agent': actor().kind === 'agent' }}
            aria-hidden="true"
          >
            {initials(actor())}
          </span>
          <span classList={{ cut: !props.long }} dir="auto">
            {textOf(actor())}
          </span>
        </span>
      )}
    </Show>
  )
}

function dayText(day: string): string {
  const today = new Date()
  if (day === formatLongDay(today.toISOString())) return `Today, ${day}`
  const yesterday = new Date(today)
  yesterday.setDate(today.getDate() - 1)
  return day === formatLongDay(yesterday.toISOString()) ? `Yesterday, ${day}` : day
}
