// The rules of interactions: what the service logs of what a viewer sent, and the card's state at that moment.
import { type CardState, FILLING } from './cards.ts'
import { BUTTONS, QUESTION_BLOCK } from './questions.ts'

/** Whatever a viewer sends carries the operation's id. */
export type Act = {
  kind: 'interact'
  op: string
  interaction_id: string
} & ({ act: 'reply' } | { act: 'click' | 'change'; card_id: string })

/** The request's body. */
export function actBody(request: Act): object {
  const { op, interaction_id } = request
  switch (request.act) {
    case 'reply':
      return { interaction_id, trigger: { type: 'reply', text: op } }
    case 'click': {
      const trigger = { type: 'button_click', button_id: 'ok' }
      return { interaction_id, card_id: request.card_id, trigger, values: { answer: op } }
    }
    case 'change': {
      const trigger = { type: 'input_change', block_id: 'answer', value: op }
      return { interaction_id, card_id: request.card_id, trigger }
    }
  }
}

/** What is logged if the card looks like this. `card`: null for a reply. */
export function loggedAct(request: Act, card: CardState | null): { trigger: object; card_state: unknown } {
  const { op } = request
  switch (request.act) {
    case 'reply':
      return { trigger: { type: 'reply', text: op }, card_state: null }
    case 'click': {
      const trigger = { type: 'button_click', button_id: 'ok', label: card?.label }
      return { trigger, card_state: card && stateOf(card, op) }
    }
    case 'change': {
      const trigger = { type: 'input_change', block_id: 'answer', block_type: 'input', value: op }
      return { trigger, card_state: card && stateOf(card, op) }
    }
  }
}

/** The card's blocks, with the viewer's value instead of the card's. */
const stateOf = ({ content, note, rows, label, asks, large }: CardState, value: string) => [
  { id: 'content', type: 'text', content },
  { id: 'note', type: 'text', content: note },
  { id: 'rows', type: 'kv', rows: rows.map(key => ({ key, value: '' })) },
  { id: 'answer', type: 'input', label: 'Answer', value },
  { id: 'buttons', type: 'button', buttons: [{ id: 'ok', label, style: 'primary' }] },
  ...(asks ? [CHOICES] : []),
  ...(large ? FILLING.map(({ id, type, content }) => ({ id, type, content })) : []),
]

const CHOICES = {
  id: QUESTION_BLOCK,
  type: 'button',
  buttons: BUTTONS.map(id => ({ id, label: id, style: 'primary' })),
}
