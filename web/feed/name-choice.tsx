// Lets a signed-in user without a role in the workspace choose whether interactions show their name.
import { createUniqueId, Show } from 'solid-js'
import { useFeed } from '../data/channel/channel-feed.ts'
import { useSession } from '../data/session.tsx'
import { LinkButton } from '../ui/button.tsx'
import './name-choice.css'

export function NameChoice() {
  const { view, byName, setByName } = useFeed()
  const { session } = useSession()
  const id = createUniqueId()
  const name = () => {
    const you = view()?.you
    // A saved view may be older than the end of the session.
    return you?.kind === 'user' && session().state !== 'signed-out' ? you.name : undefined
  }
  return (
    <Show when={name()}>
      {name => (
        <span class="name-choice">
          <span id={id} role="status">
            {byName() ? `Acting as ${name()}` : 'Acting without a name'}
          </span>
          <span aria-hidden="true">·</span>
          <LinkButton aria-describedby={id} onClick={() => setByName(!byName())}>
            {byName() ? 'Act without a name' : `Act as ${name()}`}
          </LinkButton>
        </span>
      )}
    </Show>
  )
}
