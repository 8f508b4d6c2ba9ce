// The state of the page's connection, in the top bar, and a note below it while offline. A live page shows nothing.
import { Show } from 'solid-js'
import { useOutbox } from '../data/outbox/outbox.ts'
import { countOf } from '../lib/format.ts'
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
  const state = () => props.link.state
  return (
    <Show when={TEXTS[state()]}>
      {text => (
        <span
          class={state() === 'live' ? 'sr-only' : `link-status link-${state()}`}
          role="status"
          title={text()}
          data-link={state()}
        >
          <Show when={state() !== 'live'}>
            <Show when={isCut(state())} fallback={<span class="spinner" aria-hidden="true" />}>
              <IconCloudOff />
            </Show>
          </Show>
          {/* The note below the bar says it. */}
          <Show when={!isCut(state())}>
            <span class="link-state">{text()}</span>
          </Show>
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
          <Show when={outbox.waiting() > 0}>
            {' '}
            {countOf(outbox.waiting(), 'interaction', 'interactions')} will be sent when you reconnect.
          </Show>
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
