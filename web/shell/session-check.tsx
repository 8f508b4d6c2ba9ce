// Replaces a page until the session is known.
import { type JSX, Show } from 'solid-js'
import { useSession } from '../data/session.tsx'

/** `fallback` is visible until the first check fails. */
export function SessionCheck(props: { fallback?: JSX.Element }): JSX.Element {
  const { unreachable } = useSession()
  return (
    <div role="status">
      <Show when={unreachable()} fallback={props.fallback}>
        <p class="quiet">The server can’t be reached. This page loads when it can.</p>
      </Show>
    </div>
  )
}
