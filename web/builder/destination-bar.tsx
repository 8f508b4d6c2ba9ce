// The channel and the card to send to, the button that sends, and the outcome.
import { A } from '@solidjs/router'
import { createUniqueId, For, type JSX, Show } from 'solid-js'
import type { Card } from '../../shared/card.ts'
import { Button, LinkButton, SmallButton } from '../ui/button.tsx'
import { Lines } from '../ui/copy.tsx'
import { failure, readyValue } from '../ui/load.tsx'
import { timeWords } from '../ui/time-ago.tsx'
import { summaryOf } from './block-summary.ts'
import { useBuilder } from './builder.ts'
import type { SentCard } from './card-sender.ts'
import type { Destination } from './destination.ts'
import { formatJson } from './format-json.ts'
import { PatchSummary } from './patch-summary.tsx'
import './destination-bar.css'

type DestinationProps = { destination: Destination }

export function DestinationBar(props: DestinationProps): JSX.Element {
  const builder = useBuilder()
  const { destination } = props
  const ready = () =>
    destination.channel() !== null &&
    !destination.gone() &&
    ['new', 'patch'].includes(destination.plan().kind)
  const isBlocked = () => !ready() || destination.busy()
  const sendLabel = () => {
    if (builder.card()) return 'Send the change'
    return destination.isSent() ? 'Send another' : 'Send to channel'
  }
  return (
    <section class="box destination" aria-label="Destination">
      <div class="destination-line">
        <ChannelChoice destination={destination} />
        <CardChoice destination={destination} />
        <Button
          class={`button ${destination.isSent() ? 'button-secondary' : 'button-primary'}`}
          // A disabled button would lose the focus.
          aria-disabled={isBlocked() ? 'true' : undefined}
          onClick={() => isBlocked() || destination.send()}
        >
          {destination.busy() ? 'Sending…' : sendLabel()}
        </Button>
      </div>
      <Show when={builder.card()}>
        {card => (
          <div class="destination-notes stack">
            <PatchSummary destination={destination} card={card()} />
          </div>
        )}
      </Show>
      <div class="destination-notes stack" role="status">
        <Show when={destination.error()}>{error => <p class="form-error">{error()}</p>}</Show>
        <Show when={destination.gone()}>
          <SmallButton disabled={destination.busy()} onClick={destination.createAgain}>
            Send as a new card
          </SmallButton>
        </Show>
        <Show when={destination.sent()}>{sent => <Outcome destination={destination} sent={sent()} />}</Show>
      </div>
    </section>
  )
}

function ChannelChoice(props: DestinationProps): JSX.Element {
  const id = createUniqueId()
  const { destination } = props
  const { load, again } = destination.workspaces
  const workspaces = () => readyValue(load())
  const failed = () => failure(load())
  const choose = (id: string) =>
    destination.choose(destination.channels().find(channel => channel.id === id) ?? null)

  return (
    <div class="field">
      <label for={id}>Channel</label>
      <select id={id} disabled={!workspaces()} onChange={event => choose(event.currentTarget.value)}>
        <Show when={workspaces()} fallback={<option>{destination.channel()?.name || 'Loading…'}</option>}>
          {workspaces => (
            <For each={workspaces()}>
              {({ workspace, channels }) => (
                <optgroup label={`${workspace.icon} ${workspace.name}`}>
                  <For each={channels}>
                    {channel => (
                      <option value={channel.id} selected={channel.id === destination.channel()?.id}>
                        {channel.icon} {channel.name}
                      </option>
                    )}
                  </For>
                </optgroup>
              )}
            </For>
          )}
        </Show>
      </select>
      <Show when={failed()}>
        {failed => (
          <p class="form-error">
            {failed().message} <LinkButton onClick={again}>Try again</LinkButton>
          </p>
        )}
      </Show>
      <Show when={workspaces() && destination.channels().length === 0}>
        <p class="hint">
          You have no channels yet. <A href="/dashboard/start">Create one</A>
        </p>
      </Show>
    </div>
  )
}

function CardChoice(props: DestinationProps): JSX.Element {
  const { card: chosen } = useBuilder()
  const id = createUniqueId()
  const { destination } = props
  /** The chosen card may be older than the listed ones. */
  const cards = () => {
    const listed = readyValue(destination.cards()) ?? []
    const card = chosen()
    return card && !listed.some(({ id }) => id === card.id) ? [card, ...listed] : listed
  }

  function choose(select: HTMLSelectElement): void {
    const { value } = select
    if (value === '') return destination.chooseNew()
    // Loading may fail, so the current card stays selected until then.
    select.value = chosen()?.id ?? ''
    destination.open(value)
  }

  return (
    <div class="field">
      <label for={id}>Card</label>
      <select id={id} onChange={event => choose(event.currentTarget)}>
        <option value="" selected={chosen() === null}>
          New card
        </option>
        <For each={cards()}>
          {card => (
            <option value={card.id} selected={card.id === chosen()?.id}>
              {optionText(card)}
            </option>
          )}
        </For>
      </select>
    </div>
  )
}

function optionText(card: Card): string {
  const summary = card.blocks.map(summaryOf).find(text => text !== '') ?? 'A card'
  const short = summary.length > 48 ? `${summary.slice(0, 48)}…` : summary
  return `${short} · ${timeWords().relativeTime(card.created_at, Date.now())}`
}

const OUTCOMES: Record<SentCard['how'], string> = {
  created: 'Sent.',
  replaced: 'Replaced. The card has its new blocks.',
  changed: 'Changed. Everyone with the channel open sees it.',
}

function Outcome(props: DestinationProps & { sent: SentCard }): JSX.Element {
  const { destination } = props
  return (
    <div class="outcome">
      <p class="line">
        <span class="outcome-text">{OUTCOMES[props.sent.how]}</span>
        <A href={`/c/${props.sent.response.channel_id}`}>Open the channel</A>
        <Show when={props.sent.how === 'created'}>
          <LinkButton onClick={() => destination.open(props.sent.response.id)}>Change this card</LinkButton>
        </Show>
      </p>
      <details>
        <summary>API response</summary>
        <Lines text={formatJson(props.sent.response)} label="API response" />
      </details>
    </div>
  )
}
