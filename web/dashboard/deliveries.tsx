// The deliveries of an interaction, and the button that sends it again.
import { createSignal, For, type JSX, Show } from 'solid-js'
import type { Delivery } from '../../shared/delivery.ts'
import type { LoggedInteraction } from '../../shared/interaction-log.ts'
import { fetchDelivery } from '../data/owner-requests.ts'
import { redeliver } from '../data/viewer-requests.ts'
import { formatDateTime, formatDuration, formatNumber } from '../lib/format.ts'
import { SmallButton } from '../ui/button.tsx'
import { Reason } from '../ui/choice.tsx'
import { createForm } from '../ui/form.tsx'
import { createLoad, Loaded } from '../ui/load.tsx'
import { DeliveryStatus, DeliveryView } from './delivery-view.tsx'
import { explainLimit } from './mutation.ts'

export type DeliveriesProps = { channelId: string; entry: LoggedInteraction; onChange: () => Promise<void> }

export function Deliveries(props: DeliveriesProps): JSX.Element {
  const [picked, setPicked] = createSignal<string>()
  const deliveries = () => props.entry.deliveries
  const isListed = () => deliveries().length > 1
  const visible = () => deliveries().find(({ id }) => id === picked()) ?? deliveries()[0]
  const sending = createForm(async () => {
    await redeliver(props.channelId, props.entry.interaction_id).catch(
      explainLimit('Too many deliveries are pending. Try again when they are done.'),
    )
    setPicked(undefined)
    await props.onChange()
  }, null)
  return (
    <div class="deliveries stack small">
      <div class="part-line line">
        <h3>Deliveries</h3>
        <SmallButton aria-disabled={sending.busy()} onClick={sending.submit}>
          {sending.busy() ? 'Sending…' : deliveries()[0]?.status === 'held' ? 'Send' : 'Redeliver'}
        </SmallButton>
      </div>
      <Reason reason={sending.errorOf(null)} />
      <Show when={isListed()}>
        <fieldset class="line">
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
      {/* Loads the delivery again when its status changes. */}
      <Show
        when={visible() && `${visible()?.id} ${visible()?.status}`}
        fallback={<p class="quiet">Not sent. The channel had no webhook URL at that time.</p>}
        keyed
      >
        {_ => (
          <LoadedDelivery channelId={props.channelId} deliveryId={visible()?.id ?? ''} listed={isListed()} />
        )}
      </Show>
    </div>
  )
}

function DeliveryChoice(props: { delivery: Delivery; picked: boolean; onPick: () => void }): JSX.Element {
  return (
    <button type="button" class="delivery-choice line" aria-pressed={props.picked} onClick={props.onPick}>
      <span>Delivery {formatNumber(props.delivery.attempts)}</span>
      <DeliveryStatus delivery={props.delivery} />
      <Show when={props.delivery.duration_ms}>{ms => <span class="quiet">{formatDuration(ms())}</span>}</Show>
      <time class="quiet" dateTime={props.delivery.created_at}>
        {formatDateTime(props.delivery.created_at)}
      </time>
    </button>
  )
}

function LoadedDelivery(props: { channelId: string; deliveryId: string; listed: boolean }): JSX.Element {
  const { load, again } = createLoad(() => fetchDelivery(props.channelId, props.deliveryId))
  return (
    <Loaded load={load()} again={again}>
      {delivery => <DeliveryView delivery={delivery()} listed={props.listed} />}
    </Loaded>
  )
}
