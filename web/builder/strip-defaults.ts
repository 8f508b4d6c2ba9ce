// Writes a stored card as people would: without the values that the service fills in.
import type { Block } from '../../shared/block.ts'
import type { CardContent } from './card-patch-body.ts'
import type { Fields } from './card-value.ts'

/** The values that missing fields of a card, block or button mean, by name. */
export const DEFAULTS: Fields = {
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
const EMPTY_VALUES: Fields = { input: '', select: null, multiselect: [], toggle: false }

export const isDefault = (name: string, value: unknown): boolean =>
  Object.hasOwn(DEFAULTS, name) && DEFAULTS[name] === value

export function stripDefaults({ status, blocks }: CardContent): Fields {
  return { ...(status !== 'default' && { status }), blocks: blocks.map(stripBlock) }
}

function stripBlock(block: Block): Fields {
  const fields = stripFields(block)
  if (block.type === 'button') fields.buttons = block.buttons.map(stripFields)
  if ('options' in block)
    fields.options = block.options.map(({ value, label }) => (value === label ? value : { value, label }))
  if ('value' in block && JSON.stringify(block.value) === JSON.stringify(EMPTY_VALUES[block.type]))
    delete fields.value
  return fields
}

const stripFields = (fields: object): Fields =>
  Object.fromEntries(Object.entries(fields).filter(([name, value]) => !isDefault(name, value)))
