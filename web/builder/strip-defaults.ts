// Writes a stored card as people would: without the values that the service fills in.
import { equalityDeep } from 'lib0/function'
import { z } from 'zod'
import { BLOCK_DEFINITIONS, type Block } from '../../shared/block.ts'
import { button } from '../../shared/blocks/button.ts'
import type { Card } from '../../shared/card.ts'
import type { Decision } from '../../shared/decision.ts'
import type { Path } from '../../shared/invalid.ts'
import type { Fields } from './card-value.ts'

export type CardContent = Pick<Card, 'status' | 'blocks'>

/** What the missing fields of a schema mean. A missing id is a new one. */
const defaultsOf = ({ shape }: { shape: z.ZodRawShape }): Fields =>
  Object.fromEntries(
    Object.entries(shape).flatMap(([name, field]) =>
      field instanceof z.ZodDefault && name !== 'id' ? [[name, field.def.defaultValue]] : [],
    ),
  )

const BUTTON_DEFAULTS = defaultsOf(button)
const BLOCK_DEFAULTS = Object.values(BLOCK_DEFINITIONS).map(({ schema }) => defaultsOf(schema))
/** By name. Only the default of `value` depends on the block's type. */
const { value: _, ...DEFAULTS }: Fields = Object.assign(
  { status: 'default' },
  BUTTON_DEFAULTS,
  ...BLOCK_DEFAULTS,
)

/** The same for a question. */
export const QUESTION_DEFAULTS = {
  key: null,
  expires_at: null,
  who: 'anyone',
  agents: false,
  comment: 'none',
  if_changed: 'accept',
  approves: null,
  abandon: 'keep',
} satisfies Partial<Decision>

/** The value that the field means if it is missing; undefined if it has none. */
export function defaultAt(path: Path): unknown {
  const defaults: Fields = path.at(-2) === 'decision' ? QUESTION_DEFAULTS : DEFAULTS
  return defaults[String(path.at(-1))]
}

export function stripDefaults({ status, blocks }: CardContent): Fields {
  return { ...(status !== 'default' && { status }), blocks: blocks.map(stripBlock) }
}

function stripBlock(block: Block): Fields {
  const fields = stripFields(block, defaultsOf(BLOCK_DEFINITIONS[block.type].schema))
  if ('buttons' in block) fields.buttons = block.buttons.map(button => stripFields(button, BUTTON_DEFAULTS))
  if ('decision' in block && block.decision) fields.decision = stripQuestion(block.decision)
  if ('options' in block)
    fields.options = block.options.map(({ value, label }) => (value === label ? value : { value, label }))
  return fields
}

/** The question as people would ask it. An ended one is named by its id, so that a PUT keeps it. */
function stripQuestion(decision: Decision): Fields {
  const { id, state, key, expires_at, who, agents, comment, if_changed, approves, abandon } = decision
  const settings = { who, agents, comment, if_changed, approves, abandon }
  const question = state === 'waiting' ? { key, expires_at, ...settings } : { id, key, ...settings }
  return stripFields(question, QUESTION_DEFAULTS)
}

const stripFields = (fields: object, defaults: Fields): Fields =>
  Object.fromEntries(
    Object.entries(fields).filter(
      ([name, value]) => value !== undefined && !equalityDeep(defaults[name], value),
    ),
  )
