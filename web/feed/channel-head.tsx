// A channel's description and header actions, above its cards.
import { Show } from 'solid-js'
import type { ChannelHead as Head } from '../../shared/channel.ts'
import type { HeaderAction } from '../../shared/header-action.ts'
import { InteractionButtons } from '../card/interaction-buttons.tsx'
import { useInteractions } from '../card/interactions.ts'
import { LinkedText } from '../ui/linked-text.tsx'
import './channel-head.css'

export function ChannelHead(props: { head: Head }) {
  const { send } = useInteractions()
  const triggerOf = ({ id }: HeaderAction) => ({ type: 'header_action' as const, action_id: id })
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
        <InteractionButtons
          buttons={props.head.actions}
          card_id={null}
          triggerOf={triggerOf}
          prepare={action => () => send({ card_id: null, trigger: triggerOf(action), label: action.label })}
        />
      </Show>
    </div>
  )
}
