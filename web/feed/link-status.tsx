// The state of the page's connection, in the top bar, and a note below it while offline. A live page shows nothing.
import { Show } from 'solid-js'
import { useOutbox } from '../data/outbox/outbox.ts'
import type { Link } from '../lib/reconnect.ts'
import { Banner } from '../ui/banner.tsx'
import { IconCloudOff } from '../ui/icons.tsx'
import { TimeAgo } from '../ui/time-ago.tsx'
import './link-status.css'

/** A page without access shows a message instead. */
const TEXTS: Record<Link['state'], string | undefined> = {
  connecting: 'Connecting…',
  live: 'Live',
  blocked: 'Updates blocked',
  reconnecting: 'Reconnecting…',
  offline: 'Offline',
  refused: undefined,
}

const isCut = (state: Link['state']) => state === 'offline' || state === 'blocked'

export function LinkStatus(props: { link: Link }) {
  const outbox = useOutbox()
  const state = () => props.link.state
  return (
    <Show when={TEXTS[state()]}>
      {text => (
        <span
          class={state() === 'live' ? 'sr-only' : `link-status link-${state()}`}
          role="status"
          data-link={state()}
        >
          <Show when={state() !== 'live'}>
            <Show when={isCut(state())} fallback={<span class="spinner" aria-hidden="true" />}>
              <IconCloudOff />
            </Show>
          </Show>
          <span>
            <span class="link-state">{text()}</span>
            <Show when={state() === 'offline' && outbox.waiting()}>
              {count => (
                <span>
                  <span class="link-word">{' with '}</span>
                  {count()}
                  <span class="link-word">{count() === 1 ? ' interaction' : ' interactions'}</span>
                  {' waiting'}
                </span>
              )}
            </Show>
          </span>
        </span>
      )}
    </Show>
  )
}

export function OfflineNote(props: {
  link: Link
  what: 'Cards' | 'Channels'
  lastUpdatedAt: number | undefined
}) {
  const outbox = useOutbox()
  return (
    <div class="offline-note" role="status">
      <Show when={props.link.state === 'offline'}>
        <Banner status="warning" icon={<IconCloudOff />}>
          <strong>You are offline.</strong>
          <Show when={props.lastUpdatedAt}>
            {at => (
              <>
                {' '}
                {props.what} last updated <TimeAgo iso={new Date(at()).toISOString()} />.
              </>
            )}
          </Show>
          <Show when={outbox.waiting() > 0}> Your interactions will be sent when you reconnect.</Show>
        </Banner>
      </Show>
      <Show when={props.link.state === 'blocked'}>
        <Banner status="warning" icon={<IconCloudOff />}>
          <strong>Live updates are blocked.</strong> {props.what} refresh every few seconds.
        </Banner>
      </Show>
    </div>
  )
}
