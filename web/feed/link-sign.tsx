// Says plainly how the page stands with the server.
import { Show } from 'solid-js'
import type { Link } from '../data/channel/sync.ts'
import { useOutbox } from '../data/outbox/outbox-context.tsx'
import { IconCloudOff } from '../ui/icons.tsx'
import { TimeAgo } from '../ui/time-ago.tsx'
import './link-sign.css'

const WORDS: Record<Exclude<Link['state'], 'refused'>, string> = {
  connecting: 'Connecting…',
  live: 'Live',
  reconnecting: 'Reconnecting…',
  offline: 'Offline',
}

export function LinkSign(props: { link: Link }) {
  const outbox = useOutbox()
  return (
    <Show when={shownState(props.link)}>
      {state => (
        <span class={`link-sign link-${state()}`} role="status" data-link={state()}>
          <span class="dot" aria-hidden="true" />
          <span>
            <span class="link-state">{WORDS[state()]}</span>
            <Show when={state() === 'offline' && outbox.waiting()}>
              {count => (
                <span class="link-count">
                  <span class="link-word">{' with '}</span>
                  {count()}
                  <span class="link-word">{count() === 1 ? ' action' : ' actions'}</span>
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

export type OfflineNoteProps = {
  link: Link
  /** What stands on the screen, and when it was last known to be the server's (ms). */
  what: 'Cards' | 'Channels'
  knownAt: number | undefined
}

/** Below the bar while offline: what is on the screen may be old. */
export function OfflineNote(props: OfflineNoteProps) {
  const outbox = useOutbox()
  return (
    <div role="status">
      <Show when={props.link.state === 'offline'}>
        <p class="offline-note">
          <IconCloudOff />
          <span>
            You are offline.
            <Show when={props.knownAt}>
              {at => (
                <>
                  {' '}
                  {props.what} last updated <TimeAgo iso={new Date(at()).toISOString()} />.
                </>
              )}
            </Show>
            <Show when={outbox.waiting() > 0}> What you did is kept, and goes out when you are back.</Show>
          </span>
        </p>
      </Show>
    </div>
  )
}

function shownState(link: Link): Exclude<Link['state'], 'refused'> | undefined {
  return link.state === 'refused' ? undefined : link.state
}
