// The deliveries of an interaction, and the button that sends it again.
import { createSignal, For, type JSX, Show } from 'solid-js'
import { RateLimitError } from '../../client/errors.ts'
import type { Delivery } from '../../shared/delivery.ts'
import type { LoggedInteraction } from '../../shared/interaction-log.ts'
import { redeliver } from '../data/client.ts'
import { fetchDelivery } from '../data/owner-client.ts'
import { formatDateTime, formatDuration, formatNumber } from '../lib/format.ts'
import { Reason } from '../ui/choice.tsx'
import { createLoad, Loaded } from '../ui/load.tsx'
import { DeliveryStatus, DeliveryView } from './delivery-view.tsx'
import { createMutation } from './mutation.ts'

export type DeliveriesProps = { channelId: string; entry: LoggedInteraction; onChange: () => Promise<void> }

export function Deliveries(props: DeliveriesProps): JSX.Element {
  const [picked, setPicked] = createSignal<string>()
  const deliveries = () => props.entry.deliveries
  const isListed = () => deliveries().length > 1
  const visible = () => deliveries().find(({ id }) => id === picked()) ?? deliveries()[0]
  const isHeld = () => deliveries()[0]?.status === 'held'
  const sending = createMutation(async () => {
    await redeliver(props.channelId, props.entry.interaction_id).catch(explainLimit)
    setPicked(undefined)
    await props.onChange()
  })
  return (
    <div class="deliveries stack small">
      <div class="part-line line">
        <h3>Deliveries</h3>
        <button
          type="button"
          class="button button-secondary button-small"
          aria-disabled={sending.pending()}
          onClick={sending.run}
        >
          {sending.pending() ? 'Sending…' : isHeld() ? 'Send' : 'Redeliver'}
        </button>
      </div>
      <Reason reason={sending.error()} />
      <Show when={isListed()}>
        <fieldset class="delivery-choices line">
          <legend class="sr-only">Deliveries</legend>
          <For each={deliveries()}>
            {delivery => (
              <DeliveryChoice
                delivery={delivery}
                picked={visible()?.id === delivery.id}
                onPick={() => setPicked(delivery.id)}
              />
            )}
          </For>
        </fieldset>
      </Show>
      <Show
        when={visible()}
        fallback={<p class="quiet">Not sent. The channel had no webhook URL at that time.</p>}
      >
        {/* Loads again when its status changes. */}
        <Show when={`${visible()?.id} ${visible()?.status}`} keyed>
          {_ => (
            <LoadedDelivery
              channelId={props.channelId}
              deliveryId={visible()?.id ?? ''}
              listed={isListed()}
            />
          )}
        </Show>
      </Show>
    </div>
  )
}

function explainLimit(error: unknown): never {
  if (!(error instanceof RateLimitError)) throw error
  throw new RateLimitError(429, 'Too many deliveries are pending. Try again when they are done.')
}

type DeliveryChoiceProps = { delivery: Delivery; picked: boolean; onPick: () => void }

function DeliveryChoice(props: DeliveryChoiceProps): JSX.Element {
  return (
    <button
      type="button"
      class="delivery-choice line"
      aria-pressed={props.picked}
      onClick={() => props.onPick()}
    >
      <span>Delivery {formatNumber(props.delivery.attempts)}</span>
      <DeliveryStatus delivery={props.delivery} />
      <Show when={props.delivery.duration_ms}>{ms => <span class="quiet">{formatDuration(ms())}</span>}</Show>
      <time class="quiet" dateTime={props.delivery.created_at}>
        {formatDateTime(props.delivery.created_at)}
      </time>
    </button>
  )
}

type LoadedDeliveryProps = { channelId: string; deliveryId: string; listed: boolean }

function LoadedDelivery(props: LoadedDeliveryProps): JSX.Element {
  const { load, again } = createLoad(() => fetchDelivery(props.channelId, props.deliveryId))
  return (
    <Loaded load={load()} again={again}>
      {delivery => <DeliveryView delivery={delivery()} listed={props.listed} />}
    </Loaded>
  )
}
