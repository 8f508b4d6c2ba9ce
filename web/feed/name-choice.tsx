// Lets a signed-in user without a role in the workspace choose whether interactions show their name.
import { createUniqueId, type JSX, Show } from 'solid-js'
import { useFeed } from '../data/channel/feed-context.ts'
import { useSession } from '../data/session.tsx'
import './name-choice.css'

export function NameChoice(): JSX.Element {
  const { view, byName, setByName } = useFeed()
  const { session } = useSession()
  const id = createUniqueId()
  /** A saved view may be older than the end of the session. */
  const name = () => {
    const you = view()?.you
    return you?.kind === 'user' && session().state !== 'signed-out' ? you.name : undefined
  }
  return (
    <Show when={name()}>
      {name => (
        <p class="name-choice">
          <span id={id} role="status">
            {byName() ? `Acting as ${name()}` : 'Acting without a name'}
          </span>
          <span aria-hidden="true">·</span>
          <button type="button" class="link" aria-describedby={id} onClick={() => setByName(!byName())}>
            {byName() ? 'Act without a name' : `Act as ${name()}`}
          </button>
        </p>
      )}
    </Show>
  )
}
