// Where a signed-in person without a role in the workspace chooses whether to act by name.
import { createUniqueId, type JSX, Show } from 'solid-js'
import { useFeed } from '../data/channel/feed-context.ts'
import { useSession } from '../data/session.tsx'

export function ActingAs(): JSX.Element {
  const { view, byName, setByName } = useFeed()
  const { session } = useSession()
  const id = createUniqueId()
  /** A kept view may be from before the session ended. */
  const name = () => {
    const you = view()?.you
    return you?.kind === 'user' && session().state !== 'signed-out' ? you.name : undefined
  }
  return (
    <Show when={name()}>
      {name => (
        <p class="acting-as">
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
