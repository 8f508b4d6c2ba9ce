// Where the card goes, the button that sends it, and what came of it.
import { A } from '@solidjs/router'
import { createUniqueId, For, type JSX, Match, Show, Switch } from 'solid-js'
import type { Card } from '../../shared/card.ts'
import { viewerLanguages } from '../lib/languages.ts'
import { relativeTime } from '../lib/relative-time.ts'
import { Lines } from '../ui/copy.tsx'
import { summaryOf } from './block-words.ts'
import { useBuilder } from './builder.ts'
import type { Destination, Sent } from './destination.ts'
import { formatJson } from './format-json.ts'
import { PatchNotes } from './patch-notes.tsx'

export function DestinationBar(props: { to: Destination }): JSX.Element {
  const builder = useBuilder()
  return (
    <section class="destination" aria-label="Where it goes">
      <div class="destination-line">
        <ChannelChoice to={props.to} />
        <CardChoice to={props.to} />
        <SendButton to={props.to} />
      </div>
      <Show when={builder.card()}>
        {card => (
          <div class="destination-notes">
            <PatchNotes to={props.to} card={card()} />
          </div>
        )}
      </Show>
      <div class="destination-notes" role="status">
        <Show when={props.to.reason()}>{reason => <p class="form-error">{reason()}</p>}</Show>
        <Show when={props.to.gone()}>
          <button
            type="button"
            class="button button-secondary button-small"
            disabled={props.to.busy()}
            onClick={props.to.postAnew}
          >
            Post it as a new card
          </button>
        </Show>
        <Show when={props.to.sent()}>{sent => <Answer to={props.to} sent={sent()} />}</Show>
      </div>
    </section>
  )
}

function ChannelChoice(props: { to: Destination }): JSX.Element {
  const id = createUniqueId()
  const places = () => {
    const now = props.to.places.load()
    return now.state === 'ready' ? now.value : undefined
  }
  const failed = () => {
    const now = props.to.places.load()
    return now.state === 'failed' ? now : undefined
  }
  return (
    <div class="field">
      <label for={id}>Channel</label>
      <select
        id={id}
        disabled={!places()}
        onChange={event => {
          const chosen = event.currentTarget.value
          props.to.choose(props.to.channels().find(channel => channel.id === chosen) ?? null)
        }}
      >
        <Show when={places()} fallback={<option>{props.to.channel()?.name || 'Loading…'}</option>}>
          {places => (
            <For each={places()}>
              {({ workspace, channels }) => (
                <optgroup label={`${workspace.icon} ${workspace.name}`}>
                  <For each={channels}>
                    {channel => (
                      <option value={channel.id} selected={channel.id === props.to.channel()?.id}>
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
      <Switch>
        <Match when={failed()}>
          {failed => (
            <p class="form-error">
              {failed().message}{' '}
              <button type="button" class="link" onClick={props.to.places.again}>
                Try again
              </button>
            </p>
          )}
        </Match>
        <Match when={places() && props.to.channels().length === 0}>
          <p class="hint">
            You have no channel yet. <A href="/dashboard/start">Make one</A>
          </p>
        </Match>
      </Switch>
    </div>
  )
}

function CardChoice(props: { to: Destination }): JSX.Element {
  const builder = useBuilder()
  const id = createUniqueId()
  const cards = () => {
    const now = props.to.cards()
    return now.state === 'ready' ? now.value : []
  }
  const chosen = () => builder.card()
  const isListed = () => cards().some(card => card.id === chosen()?.id)
  return (
    <div class="field">
      <label for={id}>Card</label>
      <select
        id={id}
        onChange={event => {
          const wanted = event.currentTarget.value
          if (wanted === '') return props.to.chooseNew()
          // Until it is there, and where it cannot be had, the card on the screen stays the chosen one.
          event.currentTarget.value = chosen()?.id ?? ''
          props.to.open(wanted)
        }}
      >
        <option value="" selected={chosen() === null}>
          New card
        </option>
        <Show when={chosen() && !isListed() ? chosen() : null}>
          {card => (
            <option value={card().id} selected>
              {wordsOf(card())}
            </option>
          )}
        </Show>
        <For each={cards()}>
          {card => (
            <option value={card.id} selected={card.id === chosen()?.id}>
              {wordsOf(card)}
            </option>
          )}
        </For>
      </select>
    </div>
  )
}

function wordsOf(card: Card): string {
  const said = card.blocks.map(summaryOf).find(words => words !== '') ?? 'A card'
  const short = said.length > 48 ? `${said.slice(0, 48)}…` : said
  return `${short} · ${relativeTime(card.created_at, Date.now(), viewerLanguages())}`
}

function SendButton(props: { to: Destination }): JSX.Element {
  const builder = useBuilder()
  const words = () => (builder.card() ? 'Send the change' : 'Send to channel')
  const ready = () => {
    const { kind } = props.to.plan()
    return props.to.channel() !== null && !props.to.gone() && (kind === 'new' || kind === 'patch')
  }
  return (
    <button
      type="button"
      class="button button-primary"
      disabled={!ready() || props.to.busy()}
      onClick={props.to.send}
    >
      {props.to.busy() ? 'Sending…' : words()}
    </button>
  )
}

const SENT_WORDS: Record<Sent['how'], string> = {
  posted: 'Sent: the card is in the channel.',
  replaced: 'Replaced: the card has its new blocks.',
  changed: 'Changed: whoever has the channel open sees it.',
}

function Answer(props: { to: Destination; sent: Sent }): JSX.Element {
  return (
    <div class="answer">
      <p>
        <span class="answer-words">{SENT_WORDS[props.sent.how]}</span>
        <A href={`/c/${props.sent.answer.channel_id}`}>Open the channel</A>
        <Show when={props.sent.how === 'posted'}>
          <button type="button" class="link" onClick={() => props.to.open(props.sent.answer.id)}>
            Change this card
          </button>
        </Show>
      </p>
      <details>
        <summary>The API’s answer</summary>
        <Lines text={formatJson(props.sent.answer)} label="The API’s answer" />
      </details>
    </div>
  )
}
