// A stored card as somebody would have written it: without what the service fills in by itself.
import type { Block, Button, Option } from '../../shared/block.ts'
import type { CardContent } from './card-patch-body.ts'
import type { Fields } from './card-value.ts'

/** What the service fills in where a field is left out. */
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

const EMPTY_VALUES: Partial<Record<Block['type'], unknown>> = {
  input: '',
  select: null,
  multiselect: [],
  toggle: false,
}

export function plainCard({ status, blocks }: CardContent): Fields {
  return { ...(status !== 'default' && { status }), blocks: blocks.map(plainBlock) }
}

function plainBlock(block: Block): Fields {
  const fields = withoutDefaults(block)
  if (block.type === 'button') fields.buttons = block.buttons.map((button: Button) => withoutDefaults(button))
  if ('options' in block) fields.options = block.options.map(plainOption)
  if ('value' in block && JSON.stringify(block.value) === JSON.stringify(EMPTY_VALUES[block.type]))
    delete fields.value
  return fields
}

function withoutDefaults(fields: object): Fields {
  return Object.fromEntries(
    Object.entries(fields).filter(
      ([name, value]) => !Object.hasOwn(DEFAULTS, name) || DEFAULTS[name] !== value,
    ),
  )
}

function plainOption({ value, label }: Option): unknown {
  return value === label ? value : { value, label }
}

/** Whether a field says what it would be without being written. */
export const isDefault = (name: string, value: unknown): boolean =>
  Object.hasOwn(DEFAULTS, name) && DEFAULTS[name] === value
