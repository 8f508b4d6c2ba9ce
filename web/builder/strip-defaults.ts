// Writes a stored card as people would: without the values that the service fills in.
import type { Block } from '../../shared/block.ts'
import type { Card } from '../../shared/card.ts'
import type { Decision } from '../../shared/decision.ts'
import type { Path } from '../../shared/invalid.ts'
import type { Fields } from './card-value.ts'

export type CardContent = Pick<Card, 'status' | 'blocks'>

/** The values that missing fields of a card, block or button mean, by name. */
const DEFAULTS: Fields = {
  status: 'default',
  size: 'md',
  bold: false,
  variant: 'default',
  style: 'primary',
  disabled: false,
  required: false,
  multiline: false,
  send_on_change: false,
  input_type: 'text',
}
/** The same for a question. */
export const QUESTION_DEFAULTS = {
  key: null,
  expires_at: null,
  who: 'anyone',
  agents: false,
  comment: 'none',
  if_changed: 'accept',
  approves: null,
} satisfies Partial<Decision>
const EMPTY_VALUES: Fields = { input: '', select: null, multiselect: [], toggle: false }

/** The value that the field means if it is missing; undefined if it has none. */
export function defaultAt(path: Path): unknown {
  const defaults: Fields = path.at(-2) === 'decision' ? QUESTION_DEFAULTS : DEFAULTS
  return defaults[String(path.at(-1))]
}

export function stripDefaults({ status, blocks }: CardContent): Fields {
  return { ...(status !== 'default' && { status }), blocks: blocks.map(stripBlock) }
}

function stripBlock(block: Block): Fields {
  const fields = stripFields(block)
  if (block.type === 'button') {
    fields.buttons = block.buttons.map(button => stripFields(button))
    if (block.decision) fields.decision = stripQuestion(block.decision)
  }
  if ('options' in block)
    fields.options = block.options.map(({ value, label }) => (value === label ? value : { value, label }))
  if ('value' in block && JSON.stringify(block.value) === JSON.stringify(EMPTY_VALUES[block.type]))
    delete fields.value
  return fields
}

/** The question as people would ask it. An ended one is named by its id, so that a PUT keeps it. */
function stripQuestion(decision: Decision): Fields {
  const { id, state, key, expires_at, who, agents, comment, if_changed, approves } = decision
  const settings = { who, agents, comment, if_changed, approves }
  const question = state === 'waiting' ? { key, expires_at, ...settings } : { id, key, ...settings }
  return stripFields(question, QUESTION_DEFAULTS)
}

const stripFields = (fields: object, defaults: Fields = DEFAULTS): Fields =>
  Object.fromEntries(
    Object.entries(fields).filter(([name, value]) => value !== undefined && defaults[name] !== value),
  )
