// An interaction in the log: one line that opens its details.
import { A } from '@solidjs/router'
import { createSignal, createUniqueId, type JSX, Show } from 'solid-js'
import { formatDateTime, formatDuration } from '../lib/format.ts'
import { Lines } from '../ui/copy.tsx'
import { IconChevron } from '../ui/page-icons.tsx'
import { Deliveries, type DeliveriesProps } from './deliveries.tsx'
import { DeliveryStatus, errorOf } from './delivery-view.tsx'
import { personText, TYPE_LABELS, triggerText } from './interaction-text.ts'
import './log-entry.css'

export function LogEntryView(props: DeliveriesProps): JSX.Element {
  const [open, setOpen] = createSignal(false)
  const details = createUniqueId()
  const latest = () => props.entry.deliveries[0]
  return (
    <li class="log-entry" classList={{ 'log-entry-open': open() }}>
      <button
        type="button"
        class="log-line small"
        aria-expanded={open()}
        aria-controls={details}
        onClick={() => setOpen(!open())}
      >
        <IconChevron />
        <time dateTime={props.entry.timestamp}>{formatDateTime(props.entry.timestamp)}</time>
        <span class="log-type">{TYPE_LABELS[props.entry.trigger.type]}</span>
        <span class="log-text item-name cut">
          {triggerText(props.entry.trigger)}
          <Show when={props.entry.by.name}>{name => <span class="quiet"> · {name()}</span>}</Show>
        </span>
        <Show when={errorOf(latest())}>{error => <span class="log-error">{error()}</span>}</Show>
        <Show when={latest()?.duration_ms}>
          {ms => <span class="log-duration">{formatDuration(ms())}</span>}
        </Show>
        <DeliveryStatus delivery={latest()} />
      </button>
      <div id={details} class="log-details stack small" hidden={!open()}>
        <Show when={open()}>
          <Details {...props} />
        </Show>
      </div>
    </li>
  )
}

function Details(props: DeliveriesProps): JSX.Element {
  const { entry } = props
  return (
    <>
      <h2 class="sr-only">Details</h2>
      <dl class="facts">
        <dt class="quiet">Interaction</dt>
        <dd>
          <code>{entry.interaction_id}</code>
        </dd>
        <dt class="quiet">By</dt>
        <dd>{personText(entry)}</dd>
        <dt class="quiet">Card</dt>
        <dd>
          <Show when={props.entry.card_id} fallback={hadCard(entry.trigger.type) ? 'Deleted' : 'None'}>
            {id => (
              <A href={`/c/${props.channelId}`}>
                <code>{id()}</code>
              </A>
            )}
          </Show>
        </dd>
        <Show when={entry.decision?.outcome?.comment}>
          {comment => (
            <>
              <dt class="quiet">Comment</dt>
              <dd>{comment()}</dd>
            </>
          )}
        </Show>
      </dl>
      <h3>Trigger</h3>
      <Lines label="Trigger" text={JSON.stringify(props.entry.trigger, null, 2)} />
      <Show when={props.entry.card_state}>
        {state => (
          <details>
            <summary>Card state at that time</summary>
            <Lines label="Card state" text={JSON.stringify(state(), null, 2)} />
          </details>
        )}
      </Show>
      <Deliveries {...props} />
    </>
  )
}

const hadCard = (type: string) => ['button_click', 'input_change', 'decision_expired'].includes(type)
