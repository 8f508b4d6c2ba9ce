// A viewer acts: the rules of each trigger, held against the card and the channel as they are.
import type { Block } from '../../shared/block.ts'
import type { PlacedCard } from '../../shared/card.ts'
import {
  type CardStateEntry,
  cardState,
  checkValue,
  isInput,
  missingField,
  type Value,
} from '../../shared/card-state.ts'
import type { Channel } from '../../shared/channel.ts'
import type { HeaderAction } from '../../shared/header-action.ts'
import type { CreateInteractionBody, Trigger } from '../../shared/interaction.ts'
import { badRequest, forbidden, notFound } from '../errors.ts'

/** What is logged and sent: labels, block types and the card's state are the server's words. */
export type Act = { card_id: string | null; trigger: Trigger; card_state: CardStateEntry[] | null }

/** What a trigger is judged by. `card`: the one that the body names, where it needs one. */
export type Scene = { mode: Channel['mode']; card: PlacedCard | null; actions: HeaderAction[] }

/** An act, if the channel and the card allow it as they are: `disabled` says why not. */
type Judged = { act: Act; disabled: boolean }

/** Throws a refusal that says what is wrong: first what is named and is not there, then fields, then state. */
export function judgeAct(body: CreateInteractionBody, scene: Scene): Act {
  const { act, disabled } = judge(body, scene)
  if (scene.mode !== 'interactive') throw forbidden('Channel is not interactive')
  if (disabled) throw badRequest('Button is disabled')
  return act
}

function judge(body: CreateInteractionBody, scene: Scene): Judged {
  const { trigger } = body
  switch (trigger.type) {
    case 'header_action': {
      const action = scene.actions.find(({ id }) => id === trigger.action_id.toLowerCase())
      if (!action) throw notFound('Action')
      return possible({
        card_id: null,
        trigger: { type: 'header_action', action_id: action.id, label: action.label },
        card_state: null,
      })
    }
    case 'reply':
      if (trigger.text.trim() === '') throw badRequest('text is required')
      return possible({ card_id: null, trigger: { type: 'reply', text: trigger.text }, card_state: null })
    case 'button_click':
      return judgeClick(trigger.button_id, body.values ?? {}, cardOf(scene))
    case 'input_change':
      return judgeChange(trigger.block_id, trigger.value, body.values ?? {}, cardOf(scene))
  }
}

function cardOf({ card }: Scene): PlacedCard {
  if (!card) throw notFound('Card')
  return card
}

function possible(act: Act): Judged {
  return { act, disabled: false }
}

function judgeClick(button_id: string, given: Record<string, unknown>, card: PlacedCard): Judged {
  const buttons = card.blocks.flatMap(block => (block.type === 'button' ? block.buttons : []))
  const button = buttons.find(({ id }) => id === button_id)
  if (!button) throw notFound('Button')
  const values = checkValues(card.blocks, given)
  const missing = missingField(card.blocks, values)
  if (missing !== null) throw badRequest(`${missing} is required`)
  const act: Act = {
    card_id: card.id,
    trigger: { type: 'button_click', button_id, label: button.label },
    card_state: cardState(card.blocks, values),
  }
  return { act, disabled: button.disabled }
}

function judgeChange(
  block_id: string,
  given: Value,
  others: Record<string, unknown>,
  card: PlacedCard,
): Judged {
  const block = card.blocks.find(({ id }) => id === block_id)
  if (!block) throw notFound('Block')
  if (!isInput(block)) throw badRequest(`block "${block_id}" is not an input`)
  if (!block.send_on_change) throw badRequest(`block "${block_id}" does not have send_on_change`)
  const value = checkValue(block, given, ['trigger', 'value'])
  const values = checkValues(card.blocks, others)
  values.set(block_id, value)
  return possible({
    card_id: card.id,
    trigger: { type: 'input_change', block_id, block_type: block.type, value },
    card_state: cardState(card.blocks, values),
  })
}

/** Values for other blocks than the card's inputs are ignored. */
function checkValues(blocks: Block[], given: Record<string, unknown>): Map<string, Value> {
  const values = new Map<string, Value>()
  for (const block of blocks) {
    if (!isInput(block) || !Object.hasOwn(given, block.id)) continue
    values.set(block.id, checkValue(block, given[block.id], ['values', block.id]))
  }
  return values
}
