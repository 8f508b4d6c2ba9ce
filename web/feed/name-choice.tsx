// Lets a signed-in person choose whether interactions in this channel show their name.
import { createUniqueId, Show } from 'solid-js'
import { useFeed } from '../data/channel/page-feed.ts'
import { LinkButton } from '../ui/button.tsx'
import './name-choice.css'

/** Whether interactions show the viewer's name. By default, only people with a role in the workspace show theirs. */
export function useByName(): () => boolean {
  const { viewer, byName: choice } = useFeed()
  return () => choice() ?? viewer()?.you.kind !== 'user'
}

export function NameChoice() {
  const { viewer, setByName } = useFeed()
  const id = createUniqueId()
  const name = () => viewer()?.you.name
  const byName = useByName()
  return (
    <Show when={name()}>
      {name => (
        <span class="name-choice">
          <span id={id} role="status">
            <Show when={byName()} fallback="Acting without a name">
              Acting as <bdi>{name()}</bdi>
            </Show>
          </span>
          <LinkButton aria-describedby={id} onClick={() => setByName(!byName())}>
            <Show when={!byName()} fallback="Act without a name">
              Act as <bdi>{name()}</bdi>
            </Show>
          </LinkButton>
        </span>
      )}
    </Show>
  )
}
