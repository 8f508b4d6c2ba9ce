// The last step of the first run: the line that pushes a card, and the place where the card appears, live.
import { A } from '@solidjs/router'
import { createEffect, createSignal, type JSX, Match, on, onMount, Show, Switch } from 'solid-js'
import type { CreatedApiKey } from '../../shared/api-key.ts'
import { API_KEY_NAME_MAX } from '../../shared/limits.ts'
import { Card } from '../card/card.tsx'
import { createChannelFeed } from '../data/channel/channel-feed.ts'
import { FeedContext } from '../data/channel/feed-context.ts'
import { createApiKey } from '../data/checked-requests.ts'
import { Reason } from '../ui/choice.tsx'
import { Command } from '../ui/copy.tsx'
import { IconCheck } from '../ui/dashboard-icons.tsx'
import { createDeed } from './deed.ts'
import { pushCommand } from './push-command.ts'

export type FirstCardProps = {
  channel: { id: string; name: string; workspace_id: string }
  /** Make the key at once. */
  fresh: boolean
  /** The first card is on the page. */
  onArrived: () => void
}

export function FirstCard(props: FirstCardProps): JSX.Element {
  const [key, setKey] = createSignal<CreatedApiKey>()
  const { id, name, workspace_id } = props.channel
  // By characters: half of one is none.
  const key_name = [...`First cards of ${name}`].slice(0, API_KEY_NAME_MAX).join('')
  const make = createDeed(async () => {
    setKey(await createApiKey({ name: key_name, scope: 'write', workspace_id }))
  })
  onMount(() => {
    if (props.fresh) make.run()
  })
  return (
    <>
      <Show
        when={key()}
        fallback={
          <div class="first-key">
            <p class="dash-about">
              Automations push with an API key. This one may write to the channels of this workspace and
              nothing else. It is shown once, in the line below.
            </p>
            <button
              type="button"
              class="button button-primary"
              aria-disabled={make.busy()}
              onClick={make.run}
            >
              {make.busy() ? 'Making…' : 'Make the key and the line'}
            </button>
            <Reason reason={make.reason()} />
          </div>
        }
      >
        {made => (
          <>
            <p class="dash-about">
              Paste this into a terminal. The key in it is shown this once. It is listed under{' '}
              <A href="/dashboard/keys">API keys</A>, where you can revoke it.
            </p>
            <Command text={pushCommand(location.origin, id, made().key)} what="the line that pushes a card" />
          </>
        )}
      </Show>
      <Arrival channelId={id} onArrived={props.onArrived} />
    </>
  )
}

/** Waits for the first card on the live document, as everybody who has the channel open does. */
function Arrival(props: { channelId: string; onArrived: () => void }): JSX.Element {
  const feed = createChannelFeed(props.channelId)
  const first = () => feed.state.cards[feed.ids()[0] ?? '']
  createEffect(on(first, card => card && props.onArrived()))
  return (
    <FeedContext.Provider value={feed}>
      <div class="arrival" classList={{ 'arrival-done': first() !== undefined }}>
        <div role="status">
          <Show when={first()} fallback={<Waiting state={feed.link().state} />}>
            <p class="arrival-sign">
              <IconCheck />
              Your first card is here.
            </p>
          </Show>
        </div>
        <Show when={first()}>
          {card => (
            <>
              <Card card={card()} position={1} total={feed.ids().length} />
              <div class="buttons">
                <A class="button button-primary" href={`/c/${props.channelId}`}>
                  Open the feed
                </A>
                <A class="button button-secondary" href={`/dashboard/channels/${props.channelId}`}>
                  Channel settings
                </A>
                <A class="button button-secondary" href="/">
                  All channels
                </A>
              </div>
            </>
          )}
        </Show>
      </div>
    </FeedContext.Provider>
  )
}

function Waiting(props: { state: string }): JSX.Element {
  return (
    <p class="arrival-sign quiet">
      <Switch fallback="Connecting…">
        <Match when={props.state === 'live'}>
          <span class="dot dot-waiting" aria-hidden="true" />
          Your card will appear here.
        </Match>
        <Match when={props.state === 'offline' || props.state === 'reconnecting'}>
          No connection. Your card will appear here when it is back.
        </Match>
        <Match when={props.state === 'refused'}>The channel cannot be opened any more.</Match>
      </Switch>
    </p>
  )
}
