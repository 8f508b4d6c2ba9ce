// What a channel says of itself above its cards: its description and its header actions.
import { For, Show } from 'solid-js'
import type { ChannelHead as Head } from '../../shared/channel.ts'
import type { HeaderAction } from '../../shared/header-action.ts'
import { ActButton } from '../card/act-button.tsx'
import { useActing } from '../card/acting.ts'
import { ActSign } from '../card/interaction-status.tsx'
import { placeOf } from '../data/outbox/interaction.ts'
import { LinkedText } from '../ui/linked-text.tsx'

export function ChannelHead(props: { head: Head }) {
  const { act, latest } = useActing()
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
              <ActButton
                label={action.label}
                look={action.style}
                card_id={null}
                place={placeOf(triggerOf(action))}
                prepare={() => () => act({ card_id: null, trigger: triggerOf(action), label: action.label })}
              />
            )}
          </For>
          <Show when={last()}>
            {act => <ActSign act={act()} label={props.head.actions.length > 1 ? act().label : undefined} />}
          </Show>
        </div>
      </Show>
    </div>
  )
}
