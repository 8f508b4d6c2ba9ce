// What stands where a page waits to know who is signed in, and the server does not say.
import { type JSX, Show } from 'solid-js'
import { useSession } from '../data/session.tsx'

/** `fallback` stands there while it is being asked. */
export function Away(props: { fallback?: JSX.Element }): JSX.Element {
  const { away } = useSession()
  return (
    <div role="status">
      <Show when={away()} fallback={props.fallback}>
        <p class="quiet">The server cannot be reached. This page goes on by itself when it can.</p>
      </Show>
    </div>
  )
}
