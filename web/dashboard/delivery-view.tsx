// One delivery: its status, its request and its response.
import { type JSX, Show } from 'solid-js'
import type { Delivery, DeliveryDetails } from '../../shared/delivery.ts'
import { formatDuration, formatNumber } from '../lib/format.ts'
import { Lines } from '../ui/copy.tsx'
import './delivery-view.css'

export const STATUS_LABELS: Record<Delivery['status'], string> = {
  success: 'Delivered',
  failed: 'Failed',
  pending: 'Pending',
  held: 'Held',
}
const COLORS = { success: 'success', failed: 'error', pending: 'pending', held: 'warning', none: 'muted' }
const NO_RESPONSE: Partial<Record<Delivery['status'], string>> = {
  pending: 'Not yet.',
  held: 'Not sent. Send it if the receiver still needs it.',
}

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
        fallback={<p class="quiet">{NO_RESPONSE[props.delivery.status] ?? 'No response.'}</p>}
      >
        <Lines label="Response as received" text={responseText(props.delivery)} />
      </Show>
    </div>
  )
}

export function DeliveryStatus(props: { delivery: Delivery | undefined }): JSX.Element {
  const status = () => props.delivery?.status ?? 'none'
  return (
    <span class={`delivery-status delivery-${status()}`} style={{ color: `var(--${COLORS[status()]})` }}>
      <span class="dot" aria-hidden="true" />
      {statusText(props.delivery)}
    </span>
  )
}

/** Null if the error only repeats the status code. */
export function errorOf(delivery: Delivery | undefined): string | null {
  if (!delivery || delivery.error === `status ${delivery.response_code}`) return null
  return delivery.error
}

function statusText(delivery: Delivery | undefined): string {
  if (!delivery) return 'Not sent'
  const { status, response_code } = delivery
  return response_code === null ? STATUS_LABELS[status] : `${STATUS_LABELS[status]} · ${response_code}`
}

const requestText = (delivery: DeliveryDetails) =>
  messageText(`POST ${delivery.url}`, delivery.request_headers, delivery.request_body)
const responseText = (delivery: DeliveryDetails) =>
  messageText(`HTTP ${delivery.response_code}`, delivery.response_headers, delivery.response_body)

function messageText(line: string, headers: Record<string, string> | null, body: string | null): string {
  const headerLines = Object.entries(headers ?? {}).map(([name, value]) => `${name}: ${value}`)
  return [line, headerLines.join('\n'), '', formatBody(body ?? '')].join('\n').trimEnd()
}

function formatBody(body: string): string {
  try {
    return JSON.stringify(JSON.parse(body), null, 2)
  } catch {
    return body
  }
}
