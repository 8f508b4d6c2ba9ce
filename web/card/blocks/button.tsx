// A row of buttons. A click sends what is filled in on the card.
import { Show } from 'solid-js'
import type { BlockOf } from '../../../shared/block.ts'
import type { BlockButton } from '../../../shared/blocks/button.ts'
import { isInput } from '../../../shared/form-block.ts'
import { safeKey } from '../../lib/safe-key.ts'
import { useCard } from '../card-form.ts'
import { useCardHost } from '../card-host.ts'
import { titleOf } from '../card-layout.ts'
import { WithParts } from '../decision/load-decision.tsx'
import { InteractionButtons } from '../interaction-buttons.tsx'
import { useInteractions } from '../interactions.ts'
import type { BlockDisplay } from './display.ts'

export const buttonDisplay: BlockDisplay<'button'> = { View: Buttons }

function Buttons(props: { block: BlockOf<'button'> }) {
  /** A question, if the buttons are its choices. */
  const question = () => {
    const { block } = props
    return block.decision ? { ...block, decision: block.decision } : undefined
  }
  return (
    <Show when={question()} fallback={<PlainButtons block={props.block} />}>
      {block => <WithParts essential>{parts => <parts.DecisionBlock block={block()} />}</WithParts>}
    </Show>
  )
}

function PlainButtons(props: { block: BlockOf<'button'> }) {
  const { cardOf, drafts } = useCardHost()
  const card = useCard()
  const { send } = useInteractions()
  const triggerOf = ({ id }: BlockButton) => ({ type: 'button_click' as const, button_id: id })

  function prepare(button: BlockButton): (() => void) | null {
    const filled = card.form.submit(button.label)
    if (!filled) return null
    const trigger = triggerOf(button)
    const { label } = button
    const fields = cardOf(card.id)?.blocks.filter(isInput) ?? []
    const bases = Object.fromEntries(fields.map(({ id, value }) => [id, value]))
    return () => {
      const interaction_id = send({ card_id: card.id, trigger, label, ...filled })
      if (interaction_id !== null) drafts.markSent(card.id, interaction_id, bases)
    }
  }

  const receipts = () => cardOf(card.id)?.acts?.[safeKey(props.block.id)]
  return (
    <>
      <InteractionButtons
        buttons={props.block.buttons}
        card_id={card.id}
        triggerOf={triggerOf}
        prepare={prepare}
        about={() => titleOf(cardOf(card.id)?.blocks ?? [])}
        hasReceipt={() => receipts() !== undefined}
      />
      <Show when={receipts()}>
        {shown => <WithParts>{parts => <parts.ReceiptList of={shown()} />}</WithParts>}
      </Show>
    </>
  )
}
