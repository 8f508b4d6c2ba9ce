// A row of buttons with the status of the last click. A click sends what is filled in on the card.
import { For, Show } from 'solid-js'
import type { BlockOf, Button } from '../../../shared/block.ts'
import { isInput } from '../../../shared/card-state.ts'
import { useFeed } from '../../data/channel/feed-context.ts'
import { placeOf } from '../../data/outbox/interaction.ts'
import { useCard } from '../card-context.ts'
import { InteractionButton } from '../interaction-button.tsx'
import { InteractionStatus } from '../interaction-status.tsx'
import { useInteractions } from '../interactions.ts'

export function ButtonBlock(props: { block: BlockOf<'button'> }) {
  const feed = useFeed()
  const card = useCard()
  const { send, latest } = useInteractions()
  const triggerOf = (button: Button) => ({ type: 'button_click' as const, button_id: button.id })
  const placeOfButton = (button: Button) => placeOf(triggerOf(button))

  const last = () => latest(card.id, ...props.block.buttons.map(placeOfButton))

  function prepare(button: Button): (() => void) | null {
    const filled = card.form.submit()
    if (!filled) return null
    const trigger = triggerOf(button)
    const { label } = button
    const fields = feed.state.cards[card.id]?.blocks.filter(isInput) ?? []
    const bases = Object.fromEntries(fields.map(({ id, value }) => [id, value]))
    return () => {
      const interaction_id = send({ card_id: card.id, trigger, label, ...filled })
      if (interaction_id !== null) feed.drafts.markSent(card.id, interaction_id, bases)
    }
  }

  return (
    <div class="buttons">
      <For each={props.block.buttons}>
        {button => (
          <InteractionButton
            label={button.label}
            look={button.style}
            disabled={button.disabled}
            question={button.confirm}
            card_id={card.id}
            place={placeOfButton(button)}
            prepare={() => prepare(button)}
          />
        )}
      </For>
      <Show when={last()}>
        {one => (
          <InteractionStatus of={one()} label={props.block.buttons.length > 1 ? one().label : undefined} />
        )}
      </Show>
    </div>
  )
}
