// One delivery: its status, its request and its response.
import { type JSX, Show } from 'solid-js'
import type { Delivery, DeliveryDetails } from '../../shared/delivery.ts'
import { formatDuration, formatNumber } from '../lib/format.ts'
import { Lines } from '../ui/copy.tsx'
import './delivery-view.css'

const NO_RESPONSE: Record<Delivery['status'], string> = {
  pending: 'Not yet.',
  held: 'Not sent. Send it if the receiver still needs it.',
  success: 'No response.',
  failed: 'No response.',
}

/** `listed`: a list above already shows its status. */
export function DeliveryView(props: { delivery: DeliveryDetails; listed?: boolean }): JSX.Element {
  return (
    <div class="delivery stack small">
      <Show when={!props.listed}>
        <p class="delivery-line line">
          <DeliveryStatus delivery={props.delivery} />
          <Show when={props.delivery.duration_ms}>
            {ms => <span class="quiet">{formatDuration(ms())}</span>}
          </Show>
          <span class="quiet">delivery {formatNumber(props.delivery.attempts)}</span>
        </p>
      </Show>
      <Show when={errorOf(props.delivery)}>
        {error => (
          <p>
            <span class="quiet">Reason:</span> {error()}
          </p>
        )}
      </Show>
      <h4>Request</h4>
      <Lines label="Request as sent" text={requestText(props.delivery)} />
      <h4>Response</h4>
      <Show
        when={props.delivery.response_code !== null}
        fallback={<p class="quiet">{NO_RESPONSE[props.delivery.status]}</p>}
      >
        <Lines label="Response as received" text={responseText(props.delivery)} />
      </Show>
    </div>
  )
}

/** Undefined: the interaction was not sent to a webhook. */
export function DeliveryStatus(props: { delivery: Delivery | undefined }): JSX.Element {
  const status = () => props.delivery?.status ?? 'none'
  return (
    <span class={`delivery-status delivery-${status()}`}>
      <span class="dot" aria-hidden="true" />
      {statusText(props.delivery)}
    </span>
  )
}

/** Null if the status code already says it. */
export function errorOf(delivery: Delivery | undefined): string | null {
  if (!delivery || delivery.error === `status ${delivery.response_code}`) return null
  return delivery.error
}

function statusText(delivery: Delivery | undefined): string {
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

function requestText({ url, request_headers, request_body }: DeliveryDetails): string {
  return [`POST ${url}`, headerLines(request_headers), '', formatBody(request_body)].join('\n')
}

function responseText({ response_code, response_headers, response_body }: DeliveryDetails): string {
  const head = [`HTTP ${response_code}`, headerLines(response_headers)]
  return [...head, '', formatBody(response_body ?? '')].join('\n').trimEnd()
}

function headerLines(headers: Record<string, string> | null): string {
  return Object.entries(headers ?? {})
    .map(([name, value]) => `${name}: ${value}`)
    .join('\n')
}

/** Indents JSON, and leaves any other body as it is. */
function formatBody(body: string): string {
  try {
    return JSON.stringify(JSON.parse(body), null, 2)
  } catch {
    return body
  }
}
