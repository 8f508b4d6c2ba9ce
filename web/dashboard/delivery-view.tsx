// One attempt to deliver a webhook, whole: what was sent, what came back, how long it took, and why it failed.
import { type JSX, Show } from 'solid-js'
import type { Delivery, DeliveryDetails } from '../../shared/delivery.ts'
import { formatDuration, formatNumber } from '../lib/format.ts'
import { Lines } from '../ui/copy.tsx'
import '../styles/log.css'

const NO_RESPONSE: Record<Delivery['status'], string> = {
  pending: 'Not yet.',
  held: 'Not sent. Send it if the receiver still needs it.',
  success: 'None came.',
  failed: 'None came.',
}

/** `listed`: it stands in a list above, which says how it ended. */
export function DeliveryView(props: { delivery: DeliveryDetails; listed?: boolean }): JSX.Element {
  return (
    <div class="delivery">
      <Show when={!props.listed}>
        <p class="delivery-line">
          <DeliverySign delivery={props.delivery} />
          <Show when={props.delivery.duration_ms}>
            {ms => <span class="quiet">{formatDuration(ms())}</span>}
          </Show>
          <span class="quiet">attempt {formatNumber(props.delivery.attempts)}</span>
        </p>
      </Show>
      <Show when={reasonOf(props.delivery)}>
        {error => (
          <p>
            <span class="quiet">Reason:</span> {error()}
          </p>
        )}
      </Show>
      <h4>Request</h4>
      <Lines label="Request as sent" text={requestOf(props.delivery)} />
      <h4>Response</h4>
      <Show
        when={props.delivery.response_code !== null}
        fallback={<p class="quiet">{NO_RESPONSE[props.delivery.status]}</p>}
      >
        <Lines label="Response as received" text={responseOf(props.delivery)} />
      </Show>
    </div>
  )
}

/** How a delivery stands, in a word or two and a colour. */
export function DeliverySign(props: { delivery: Delivery | undefined }): JSX.Element {
  const status = () => props.delivery?.status ?? 'none'
  return (
    <span class={`sign sign-${status()}`}>
      <span class="dot" aria-hidden="true" />
      {wordsOf(props.delivery)}
    </span>
  )
}

/** What the status code does not say already. */
export function reasonOf(delivery: Delivery | undefined): string | null {
  if (!delivery || delivery.error === `status ${delivery.response_code}`) return null
  return delivery.error
}

function wordsOf(delivery: Delivery | undefined): string {
  if (!delivery) return 'Not sent'
  switch (delivery.status) {
    case 'pending':
      return 'Pending'
    case 'held':
      return 'Held'
    case 'success':
      return `Delivered · ${delivery.response_code}`
    case 'failed':
      return delivery.response_code === null ? 'Failed' : `Failed · ${delivery.response_code}`
  }
}

function requestOf({ url, request_headers, request_body }: DeliveryDetails): string {
  return [`POST ${url}`, headerLines(request_headers), '', pretty(request_body)].join('\n')
}

function responseOf({ response_code, response_headers, response_body }: DeliveryDetails): string {
  const head = [`HTTP ${response_code}`, headerLines(response_headers)]
  return [...head, '', pretty(response_body ?? '')].join('\n').trimEnd()
}

function headerLines(headers: Record<string, string> | null): string {
  return Object.entries(headers ?? {})
    .map(([name, value]) => `${name}: ${value}`)
    .join('\n')
}

/** JSON with line breaks; anything else as it is. */
function pretty(body: string): string {
  try {
    return JSON.stringify(JSON.parse(body), null, 2)
  } catch {
    return body
  }
}
