// The last step of the first run: a shell command that pushes a card, and the live channel where the card appears.
import { A } from '@solidjs/router'
import { createEffect, createSignal, type JSX, on, onMount, Show } from 'solid-js'
import type { CreatedApiKey } from '../../shared/api-key.ts'
import { API_KEY_NAME_MAX } from '../../shared/limits.ts'
import { CardView } from '../card/card.tsx'
import { createPageFeed } from '../data/channel/page-feed.ts'
import { createApiKey } from '../data/checked-requests.ts'
import { FeedProvider } from '../feed/feed-provider.tsx'
import { Button } from '../ui/button.tsx'
import { Reason } from '../ui/choice.tsx'
import { Command } from '../ui/copy.tsx'
import { createForm } from '../ui/form.tsx'
import { IconCheck } from '../ui/icons.tsx'
import { pushCommand } from './push-command.ts'
import './first-card.css'

export function FirstCard(props: {
  channel: { id: string; name: string; workspace_id: string }
  fresh: boolean
  onArrived: () => void
}): JSX.Element {
  const [key, setKey] = createSignal<CreatedApiKey>()
  const { id, name, workspace_id } = props.channel
  // The spread splits by code point, so the cut is never inside an emoji.
  const keyName = [...`First cards of ${name}`].slice(0, API_KEY_NAME_MAX).join('')
  const create = createForm(async () => {
    setKey(await createApiKey({ name: keyName, scope: 'write', workspace_id }))
  }, null)
  onMount(() => props.fresh && create.submit())
  return (
    <>
      <Show
        when={key()}
        fallback={
          <div class="first-key stack">
            <p class="dash-about">
              Automations need an API key. This one can only write to channels of this workspace. The command
              below shows it once.
            </p>
            <Button
              class="button button-primary"
              aria-disabled={create.busy()}
              onClick={() => create.submit()}
            >
              {create.busy() ? 'Creating…' : 'Create key and command'}
            </Button>
            <Reason reason={create.errorOf(null)} />
          </div>
        }
      >
        {key => (
          <>
            <p class="dash-about">
              Paste this into a terminal. Copy it now; you won’t see this key again. You can revoke it under{' '}
              <A href="/dashboard/keys">API keys</A>.
            </p>
            <Command
              text={pushCommand(location.origin, id, key().key)}
              what="the command that pushes a card"
            />
          </>
        )}
      </Show>
      <CardArrival channelId={id} workspaceId={workspace_id} onArrived={props.onArrived} />
    </>
  )
}

function CardArrival(props: { channelId: string; workspaceId: string; onArrived: () => void }): JSX.Element {
  const feed = createPageFeed(props.channelId)
  const first = () => feed.state.cards[feed.ids()[0] ?? '']
  createEffect(on(first, card => card && props.onArrived()))
  return (
    <FeedProvider feed={feed}>
      <div class="arrival stack" classList={{ 'arrival-done': first() !== undefined }}>
        <div role="status">
          <Show when={first()} fallback={<Waiting state={feed.link().state} />}>
            <p class="arrival-status line">
              <IconCheck />
              Your first card is here.
            </p>
          </Show>
        </div>
        <Show when={first()}>
          {card => <CardView card={card()} position={1} total={feed.ids().length} />}
        </Show>
        <div class="line">
          <A
            class={`button ${first() ? 'button-primary' : 'button-secondary'}`}
            href={`/c/${props.channelId}`}
          >
            Open channel
          </A>
          <A class="button button-secondary" href={`/dashboard/channels/${props.channelId}`}>
            Channel settings
          </A>
          <Show when={first()}>
            <A class="button button-secondary" href={`/dashboard/workspaces/${props.workspaceId}#people`}>
              Invite your team
            </A>
          </Show>
          <A class="button button-secondary" href="/">
            All channels
          </A>
        </div>
      </div>
    </FeedProvider>
  )
}

const DISCONNECTED = 'No connection. Your card will appear here when you reconnect.'
const WAITING: Record<string, string> = {
  live: 'Your card will appear here.',
  blocked: 'Your card will appear here.',
  offline: DISCONNECTED,
  reconnecting: DISCONNECTED,
  refused: 'You no longer have access to this channel.',
}

function Waiting(props: { state: string }): JSX.Element {
  return (
    <p class="line quiet">
      {props.state === 'live' && <span class="dot dot-waiting" aria-hidden="true" />}
      {WAITING[props.state] ?? 'Connecting…'}
    </p>
  )
}
