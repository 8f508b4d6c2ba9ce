// The blocks that people fill in, and the rules of their values. Free of zod, because the channel page loads it.
import type { Block, BlockOf } from './block.ts'
import { inputValue } from './blocks/input-value.ts'
import { multiselectValue } from './blocks/multiselect-value.ts'
import { selectValue } from './blocks/select-value.ts'
import { toggleValue } from './blocks/toggle-value.ts'
import type { ValueRules } from './blocks/value-rules.ts'
import { Invalid, type Path } from './invalid.ts'

export type FormBlock = Extract<Block, { value: unknown }>
type FormType = FormBlock['type']
export type Value = FormBlock['value']

const RULES: { [T in FormType]: ValueRules<BlockOf<T>> } = {
  input: inputValue,
  select: selectValue,
  multiselect: multiselectValue,
  toggle: toggleValue,
}

const isFormType = (type: string): type is FormType => Object.hasOwn(RULES, type)
export const FORM_TYPES = Object.keys(RULES).filter(isFormType)
export const isInput = (block: Block): block is FormBlock => isFormType(block.type)

/** Whether a value can be the block's. It may still break a rule. */
export const hasTypeOf = ({ type }: FormBlock, value: unknown): value is Value => RULES[type].hasType(value)

/** Throws `Invalid` for `path` if a viewer's value breaks a rule of its block. It may be empty: clicks check `required`. */
export function checkValue(block: FormBlock, value: unknown, path: Path): Value {
  if (block.disabled) throw new Invalid(path, 'is disabled')
  return checkedBy(block.type, block, value, path)
}

function checkedBy<T extends FormType>(type: T, block: BlockOf<T>, value: unknown, path: Path): Value {
  const { hasType, typeRule, check }: ValueRules<BlockOf<T>> = RULES[type]
  if (!hasType(value)) throw new Invalid(path, typeRule)
  check?.(block, value, path)
  return value
}

/** Whether what people enter there is a secret, such as a password. */
export const isSecret = (block: FormBlock): boolean => isSecretBy(block.type, block)

function isSecretBy<T extends FormType>(type: T, block: BlockOf<T>): boolean {
  const { isSecret }: ValueRules<BlockOf<T>> = RULES[type]
  return isSecret?.(block) ?? false
}

/** The viewer's value of the block, or else the card's own. */
export function filledValue(block: FormBlock, values: ReadonlyMap<string, Value>): Value {
  const given = values.get(block.id)
  return given === undefined ? block.value : given
}

/** The label of the first required field that is empty, or null. */
export function missingField(blocks: Block[], values: ReadonlyMap<string, Value>): string | null {
  for (const block of blocks) {
    if (!isInput(block) || !('required' in block) || !block.required || block.disabled) continue
    const value = filledValue(block, values)
    const text = typeof value === 'string' ? value.trim() : value
    if (text === null || text === '' || (Array.isArray(text) && text.length === 0))
      return block.label ?? block.id
  }
  return null
}

/** A card as an interaction met it. `values`: block id → the viewer's checked value. */
export type FilledCard = { blocks: Block[]; values: ReadonlyMap<string, Value> }

/** Values by block id, in the order of the blocks: those that the card doesn't have itself. */
export function changedValues({ blocks, values }: FilledCard): Map<string, Value> {
  const changed = new Map<string, Value>()
  for (const block of blocks) {
    const value = isInput(block) ? values.get(block.id) : undefined
    if (value === undefined || !isInput(block)) continue
    if (JSON.stringify(value) !== JSON.stringify(block.value)) changed.set(block.id, value)
  }
  return changed
}
