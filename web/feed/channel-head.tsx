// A channel's description and header actions, above its cards.
import { For, Show } from 'solid-js'
import type { ChannelHead as Head } from '../../shared/channel.ts'
import type { HeaderAction } from '../../shared/header-action.ts'
import { WithParts } from '../card/decision/load-decision.tsx'
import { InteractionButtons } from '../card/interaction-buttons.tsx'
import { useInteractions } from '../card/interactions.ts'
import { useFeed } from '../data/channel/page-feed.ts'
import { LinkedText } from '../ui/linked-text.tsx'
import './channel-head.css'

export function ChannelHeader(props: { head: Head }) {
  const { send } = useInteractions()
  const { state } = useFeed()
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
          hasReceipt={({ id }) => state.receipts[id] !== undefined}
          prepare={action => () => send({ card_id: null, trigger: triggerOf(action), label: action.label })}
        />
        <For each={props.head.actions}>
          {({ id }) => (
            <Show when={state.receipts[id]}>
              {receipts => <WithParts>{parts => <parts.ReceiptList of={receipts()} />}</WithParts>}
            </Show>
          )}
        </For>
      </Show>
    </div>
  )
}
