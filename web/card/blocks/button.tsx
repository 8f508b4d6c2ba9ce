// A row of buttons, and how the last click on one of them fares. A click sends what is filled in on the card.
import { For, Show } from 'solid-js'
import type { BlockOf, Button } from '../../../shared/block.ts'
import { isInput } from '../../../shared/card-state.ts'
import { useFeed } from '../../data/channel/feed-context.ts'
import { placeOf } from '../../data/outbox/interaction.ts'
import { ActButton } from '../act-button.tsx'
import { useActing } from '../acting.ts'
import { useCard } from '../card-context.ts'
import { ActSign } from '../interaction-status.tsx'

export function ButtonBlock(props: { block: BlockOf<'button'> }) {
  const feed = useFeed()
  const card = useCard()
  const { act, latest } = useActing()
  const place = (button: Button) => placeOf({ type: 'button_click', button_id: button.id })

  const last = () => latest(card.id, ...props.block.buttons.map(place))

  function prepare(button: Button): (() => void) | null {
    const filled = card.form.fill()
    if (!filled) return null
    const trigger = { type: 'button_click' as const, button_id: button.id }
    const { label } = button
    const fields = feed.state.cards[card.id]?.blocks.filter(isInput) ?? []
    const bases = Object.fromEntries(fields.map(({ id, value }) => [id, value]))
    return () => {
      const interaction_id = act({ card_id: card.id, trigger, label, ...filled })
      if (interaction_id !== null) feed.drafts.handOver(card.id, interaction_id, bases)
    }
  }

  return (
    <div class="buttons">
      <For each={props.block.buttons}>
        {button => (
          <ActButton
            label={button.label}
            look={button.style}
            disabled={button.disabled}
            question={button.confirm}
            card_id={card.id}
            place={place(button)}
            prepare={() => prepare(button)}
          />
        )}
      </For>
      <Show when={last()}>
        {act => <ActSign act={act()} label={props.block.buttons.length > 1 ? act().label : undefined} />}
      </Show>
    </div>
  )
}
