// Checks interactions against the card and the channel as they are now.
import type { Block } from '../../shared/block.ts'
import type { PlacedCard } from '../../shared/card.ts'
import type { Channel } from '../../shared/channel.ts'
import { checkValue, type FilledCard, isInput, missingField, type Value } from '../../shared/form-block.ts'
import type { HeaderAction } from '../../shared/header-action.ts'
import type { CreateInteractionBody, Interaction } from '../../shared/interaction.ts'
import { REQUIRED } from '../../shared/invalid.ts'
import { ApiError, apiError, invalid, notFound } from '../errors.ts'

export type InteractionContext = { mode: Channel['mode']; card: PlacedCard | null; actions: HeaderAction[] }

/** The fields to record. Labels, block types and the card come from the server, not from the viewer. */
type Checked = Pick<Interaction, 'card_id' | 'trigger'> & { card: FilledCard | null }

/** Throws the first error in this order: something doesn't exist, a value is bad, the channel's mode forbids it. */
export function checkInteraction(body: CreateInteractionBody, context: InteractionContext): Checked {
  const { disabled, ...checked } = checkTrigger(body, context)
  if (context.mode !== 'interactive') throw apiError('channel_not_interactive')
  if (disabled) throw apiError('button_disabled')
  return checked
}

function checkTrigger(
  { trigger, values = {} }: CreateInteractionBody,
  { card, actions }: InteractionContext,
): Checked & { disabled?: boolean } {
  switch (trigger.type) {
    case 'header_action': {
      const action = actions.find(({ id }) => id === trigger.action_id.toLowerCase())
      if (!action) throw notFound('Action')
      const { id: action_id, label } = action
      return { card_id: null, trigger: { type: trigger.type, action_id, label }, card: null }
    }
    case 'reply':
      if (trigger.text.trim() === '') throw invalid('text', REQUIRED)
      return { card_id: null, trigger: { type: trigger.type, text: trigger.text }, card: null }
    case 'button_click':
      if (!card) throw notFound('Card')
      return checkClick(card, trigger.button_id, values)
    case 'input_change':
      if (!card) throw notFound('Card')
      return checkChange(card, trigger.block_id, trigger.value, values)
  }
}

export function checkClick(card: PlacedCard, button_id: string, given: Record<string, unknown>) {
  const buttons = card.blocks.flatMap(block => (block.type === 'button' ? block.buttons : []))
  const button = buttons.find(({ id }) => id === button_id)
  if (!button) throw notFound('Button')
  const values = checkValues(card.blocks, given)
  const missing = missingField(card.blocks, values)
  if (missing !== null) throw invalid(missing, REQUIRED)
  return {
    card_id: card.id,
    trigger: { type: 'button_click' as const, button_id, label: button.label },
    card: { blocks: card.blocks, values },
    disabled: button.disabled,
  }
}

function checkChange(card: PlacedCard, block_id: string, given: Value, others: Record<string, unknown>) {
  const block = card.blocks.find(({ id }) => id === block_id)
  if (!block) throw notFound('Block')
  if (!isInput(block)) throw new ApiError('not_an_input', `block "${block_id}" is not an input`)
  if (!block.send_on_change)
    throw new ApiError('not_sent_on_change', `block "${block_id}" does not have send_on_change`)
  const value = checkValue(block, given, ['trigger', 'value'])
  const values = checkValues(card.blocks, others)
  values.set(block_id, value)
  return {
    card_id: card.id,
    trigger: { type: 'input_change' as const, block_id, block_type: block.type, value },
    card: { blocks: card.blocks, values },
  }
}

function checkValues(blocks: Block[], given: Record<string, unknown>): Map<string, Value> {
  const values = new Map<string, Value>()
  for (const block of blocks) {
    if (!isInput(block) || !Object.hasOwn(given, block.id)) continue
    values.set(block.id, checkValue(block, given[block.id], ['values', block.id]))
  }
  return values
}
