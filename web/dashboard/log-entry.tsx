// An entry of the log: one line, and below it, when it is opened, all that is known of it.
import { A } from '@solidjs/router'
import { createSignal, createUniqueId, For, type JSX, Show } from 'solid-js'
import { RateLimitError } from '../../client/errors.ts'
import type { Delivery } from '../../shared/delivery.ts'
import type { LoggedInteraction } from '../../shared/interaction-log.ts'
import { redeliver } from '../data/client.ts'
import { fetchDelivery } from '../data/owner-client.ts'
import { formatDateTime, formatDuration, formatNumber } from '../lib/format.ts'
import { Reason } from '../ui/choice.tsx'
import { Lines } from '../ui/copy.tsx'
import { IconChevron } from '../ui/dashboard-icons.tsx'
import { createLoad, Loaded } from '../ui/load.tsx'
import { createDeed } from './deed.ts'
import { DeliverySign, DeliveryView, reasonOf } from './delivery-view.tsx'
import { personWords, TYPE_WORDS, triggerWords } from './trigger-words.ts'

export type LogEntryProps = { channelId: string; entry: LoggedInteraction; onChange: () => Promise<void> }

export function LogEntryView(props: LogEntryProps): JSX.Element {
  const [open, setOpen] = createSignal(false)
  const details = createUniqueId()
  const latest = () => props.entry.deliveries[0]
  return (
    <li class="log-entry" classList={{ 'log-entry-open': open() }}>
      <button
        type="button"
        class="log-line"
        aria-expanded={open()}
        aria-controls={details}
        onClick={() => setOpen(!open())}
      >
        <IconChevron />
        <time dateTime={props.entry.timestamp}>{formatDateTime(props.entry.timestamp)}</time>
        <span class="log-type">{TYPE_WORDS[props.entry.trigger.type]}</span>
        <span class="log-words">
          {triggerWords(props.entry.trigger)}
          <Show when={props.entry.by.name}>{name => <span class="log-by"> · {name()}</span>}</Show>
        </span>
        <Show when={reasonOf(latest())}>{reason => <span class="log-reason">{reason()}</span>}</Show>
        <Show when={latest()?.duration_ms}>
          {ms => <span class="log-duration">{formatDuration(ms())}</span>}
        </Show>
        <DeliverySign delivery={latest()} />
      </button>
      <div id={details} class="log-details" hidden={!open()}>
        <Show when={open()}>
          <Details {...props} />
        </Show>
      </div>
    </li>
  )
}

function Details(props: LogEntryProps): JSX.Element {
  const { entry } = props
  return (
    <>
      <h2 class="sr-only">Details</h2>
      <dl class="facts">
        <dt>Interaction</dt>
        <dd>
          <code>{entry.interaction_id}</code>
        </dd>
        <dt>By</dt>
        <dd>{personWords(entry)}</dd>
        <dt>Card</dt>
        <dd>
          <Show when={props.entry.card_id} fallback={<CardMissing entry={props.entry} />}>
            {id => (
              <A href={`/c/${props.channelId}`}>
                <code>{id()}</code>
              </A>
            )}
          </Show>
        </dd>
      </dl>
      <h3>Trigger</h3>
      <Lines label="Trigger" text={JSON.stringify(props.entry.trigger, null, 2)} />
      <Show when={props.entry.card_state}>
        {state => (
          <details>
            <summary>Card state at that moment</summary>
            <Lines label="Card state" text={JSON.stringify(state(), null, 2)} />
          </details>
        )}
      </Show>
      <Deliveries {...props} />
    </>
  )
}

function CardMissing(props: { entry: LoggedInteraction }): JSX.Element {
  const { type } = props.entry.trigger
  return <>{type === 'button_click' || type === 'input_change' ? 'Deleted since' : 'None'}</>
}

function Deliveries(props: LogEntryProps): JSX.Element {
  const [picked, setPicked] = createSignal<string>()
  const shown = () => props.entry.deliveries.find(({ id }) => id === picked()) ?? props.entry.deliveries[0]
  const isHeld = () => props.entry.deliveries[0]?.status === 'held'
  const again = createDeed(async () => {
    await redeliver(props.channelId, props.entry.interaction_id).catch(explainLimit)
    setPicked(undefined)
    await props.onChange()
  })
  return (
    <div class="deliveries">
      <div class="part-line">
        <h3>Deliveries</h3>
        <button
          type="button"
          class="button button-secondary button-small"
          aria-disabled={again.busy()}
          onClick={again.run}
        >
          {again.busy() ? 'Sending…' : isHeld() ? 'Send' : 'Redeliver'}
        </button>
      </div>
      <Reason reason={again.reason()} />
      <Show when={props.entry.deliveries.length > 1}>
        <fieldset class="attempts">
          <legend class="sr-only">Attempts</legend>
          <For each={props.entry.deliveries}>
            {delivery => (
              <Attempt
                delivery={delivery}
                picked={shown()?.id === delivery.id}
                onPick={() => setPicked(delivery.id)}
              />
            )}
          </For>
        </fieldset>
      </Show>
      <Show
        when={shown()}
        fallback={<p class="quiet">Not sent: the channel had no webhook URL when it happened.</p>}
      >
        {/* Read again when it is no longer under way. */}
        <Show when={`${shown()?.id} ${shown()?.status}`} keyed>
          {_ => (
            <DeliveryLoad
              channelId={props.channelId}
              deliveryId={shown()?.id ?? ''}
              listed={props.entry.deliveries.length > 1}
            />
          )}
        </Show>
      </Show>
    </div>
  )
}

function explainLimit(error: unknown): never {
  if (!(error instanceof RateLimitError)) throw error
  throw new RateLimitError(429, 'Many attempts wait already. Send it again when they have gone out.')
}

type AttemptProps = { delivery: Delivery; picked: boolean; onPick: () => void }

function Attempt(props: AttemptProps): JSX.Element {
  return (
    <button type="button" class="attempt" aria-pressed={props.picked} onClick={() => props.onPick()}>
      <span>Attempt {formatNumber(props.delivery.attempts)}</span>
      <DeliverySign delivery={props.delivery} />
      <Show when={props.delivery.duration_ms}>{ms => <span class="quiet">{formatDuration(ms())}</span>}</Show>
      <time class="quiet" dateTime={props.delivery.created_at}>
        {formatDateTime(props.delivery.created_at)}
      </time>
    </button>
  )
}

type DeliveryLoadProps = { channelId: string; deliveryId: string; listed: boolean }

function DeliveryLoad(props: DeliveryLoadProps): JSX.Element {
  const { load, again } = createLoad(() => fetchDelivery(props.channelId, props.deliveryId))
  return (
    <Loaded load={load()} again={again}>
      {delivery => <DeliveryView delivery={delivery()} listed={props.listed} />}
    </Loaded>
  )
}
