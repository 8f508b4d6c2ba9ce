// One delivery: its status, its request and its response.
import { For, type JSX, Show } from 'solid-js'
import type { CardStatus } from '../../shared/card.ts'
import type { Delivery, DeliveryDetails } from '../../shared/delivery.ts'
import { deliveryError } from '../../shared/delivery-errors.ts'
import { formatDuration, formatNumber } from '../lib/format.ts'
import { CopyButton, Lines } from '../ui/copy.tsx'
import { Mark } from '../ui/status.tsx'
import './delivery-view.css'

export const STATUS_LABELS: Record<Delivery['status'], string> = {
  success: 'Delivered',
  failed: 'Failed',
  pending: 'Pending',
  held: 'Held',
}
const MARKS: Record<Delivery['status'] | 'none', CardStatus> = {
  success: 'success',
  failed: 'error',
  pending: 'pending',
  held: 'warning',
  none: 'default',
}
const NO_RESPONSE: Partial<Record<Delivery['status'], string>> = {
  pending: 'Not yet.',
  held: 'Not sent. Send it if the receiver still needs it.',
}

/** The result of a test. Only a failure shows what was received at once. */
export function DeliveryView(props: { delivery: DeliveryDetails }): JSX.Element {
  return (
    <div class="delivery stack">
      <p class="line">
        <DeliveryStatusText delivery={props.delivery} />
        <Show when={props.delivery.duration_ms}>
          {ms => <span class="quiet">{formatDuration(ms())}</span>}
        </Show>
      </p>
      <DeliveryError delivery={props.delivery} />
      <details>
        <summary>Request</summary>
        <DeliveryRequest delivery={props.delivery} />
      </details>
      <Show when={props.delivery.response_code !== null}>
        <details open={props.delivery.status !== 'success'}>
          <summary>Response</summary>
          <DeliveryResponse delivery={props.delivery} />
        </details>
      </Show>
    </div>
  )
}

export function DeliveryError(props: { delivery: DeliveryDetails }): JSX.Element {
  return (
    <Show when={errorOf(props.delivery)}>
      {error => (
        <p>
          <span class="quiet">Reason:</span> {error()}
        </p>
      )}
    </Show>
  )
}

export function DeliveryRequest(props: { delivery: DeliveryDetails }): JSX.Element {
  return (
    <section class="message stack" aria-label="Request as sent">
      <div class="code-line">
        <code class="fill">POST {props.delivery.url}</code>
      </div>
      <Headers of={props.delivery.request_headers} />
      <Body text={props.delivery.request_body} what="the request" />
    </section>
  )
}

export function DeliveryResponse(props: { delivery: DeliveryDetails }): JSX.Element {
  return (
    <Show
      when={props.delivery.response_code !== null}
      fallback={<p class="quiet">{NO_RESPONSE[props.delivery.status] ?? 'No response.'}</p>}
    >
      <section class="message stack" aria-label="Response as received">
        <div class="code-line">
          <code class="fill">HTTP {props.delivery.response_code}</code>
        </div>
        <Headers of={props.delivery.response_headers} />
        <Body text={props.delivery.response_body ?? ''} what="the response" />
      </section>
    </Show>
  )
}

function Headers(props: { of: Record<string, string> | null }): JSX.Element {
  return (
    <dl class="headers">
      <For each={Object.entries(props.of ?? {})}>
        {([name, value]) => (
          <>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </>
        )}
      </For>
    </dl>
  )
}

function Body(props: { text: string; what: string }): JSX.Element {
  const formatted = () => formatBody(props.text)
  const size = () => countBytes(props.text)
  return (
    <Show when={props.text !== ''} fallback={<p class="quiet">No body.</p>}>
      <div class="code-box">
        <div class="code-head">
          <span>{`${formatted() === undefined ? 'text' : 'json'}, ${size()}`}</span>
          <CopyButton text={formatted() ?? props.text} what={props.what} />
        </div>
        <Lines label={`Body of ${props.what}`} text={formatted() ?? props.text} class="code-text" />
      </div>
    </Show>
  )
}

/** `short` shows the response's code instead of the word where there is one. */
export function DeliveryStatusText(props: { delivery: Delivery | undefined; short?: boolean }): JSX.Element {
  const status = () => props.delivery?.status ?? 'none'
  const word = () => (props.delivery ? STATUS_LABELS[props.delivery.status] : 'Not sent')
  const code = () => props.delivery?.response_code
  return (
    <span class={`delivery-status delivery-${status()}`}>
      <Mark status={MARKS[status()]} />
      <Show
        when={code()}
        fallback={<WordOrError word={word()} error={props.short ? errorOf(props.delivery) : null} />}
      >
        {code => (
          <span>
            <span classList={{ 'sr-only': props.short }}>{word()} · </span>
            {code()}
          </span>
        )}
      </Show>
    </span>
  )
}

function WordOrError(props: { word: string; error: string | null }): JSX.Element {
  return (
    <span>
      <span classList={{ 'sr-only': props.error !== null }}>{props.word} </span>
      {props.error}
    </span>
  )
}

/** Null if the error only repeats the status code. */
export function errorOf(delivery: Delivery | undefined): string | null {
  const error = delivery?.error ?? null
  const code = error === null ? undefined : deliveryError(error)?.code
  if (code === 'status') return null
  return code === 'blocked_address' ? 'address not allowed' : error
}

const countBytes = (text: string) => {
  const bytes = new TextEncoder().encode(text).length
  return `${formatNumber(bytes)} ${bytes === 1 ? 'byte' : 'bytes'}`
}

function formatBody(body: string): string | undefined {
  try {
    return JSON.stringify(JSON.parse(body), null, 2)
  } catch {
    return undefined
  }
}
