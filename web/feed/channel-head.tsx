// A channel's description and header actions, above its cards.
import { For, Show } from 'solid-js'
import type { ChannelHead as Head } from '../../shared/channel.ts'
import type { HeaderAction } from '../../shared/header-action.ts'
import { InteractionButton } from '../card/interaction-button.tsx'
import { InteractionStatus } from '../card/interaction-status.tsx'
import { useInteractions } from '../card/interactions.ts'
import { placeOf } from '../data/outbox/interaction.ts'
import { LinkedText } from '../ui/linked-text.tsx'
import './channel-head.css'

export function ChannelHead(props: { head: Head }) {
  const { send, latest } = useInteractions()
  const triggerOf = (action: HeaderAction) => ({ type: 'header_action' as const, action_id: action.id })
  const last = () => latest(null, ...props.head.actions.map(action => placeOf(triggerOf(action))))
  return (
    <div class="channel-head">
      <Show when={props.head.description}>
        {description => (
          <p class="channel-description">
            <LinkedText content={description()} />
          </p>
        )}
      </Show>
      <Show when={props.head.actions.length > 0}>
        <div class="buttons">
          <For each={props.head.actions}>
            {action => (
              <InteractionButton
                label={action.label}
                look={action.style}
                card_id={null}
                place={placeOf(triggerOf(action))}
                prepare={() => () => send({ card_id: null, trigger: triggerOf(action), label: action.label })}
              />
            )}
          </For>
          <Show when={last()}>
            {one => (
              <InteractionStatus of={one()} label={props.head.actions.length > 1 ? one().label : undefined} />
            )}
          </Show>
        </div>
      </Show>
    </div>
  )
}
