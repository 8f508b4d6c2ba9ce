// The card's state in an interaction: an entry per block, with the viewer's values instead of the card's.
import type { Block, BlockOf } from './block.ts'
import { charCount, hasRepeats, isHttpUrl } from './characters.ts'
import { Invalid } from './invalid.ts'
import { BLOCK_STRING_MAX } from './limits.ts'

export type FormBlock = BlockOf<'input' | 'select' | 'multiselect' | 'toggle'>
export type Value = string | string[] | boolean | null
export type CardStateEntry = { id: string; type: Block['type'] } & Record<string, unknown>

const INPUTS: readonly string[] = ['input', 'select', 'multiselect', 'toggle']
export const isInput = (block: Block): block is FormBlock => INPUTS.includes(block.type)

/** A card as an interaction met it. `values`: block id → the viewer's checked value. */
export type FilledCard = { blocks: Block[]; values: ReadonlyMap<string, Value> }

export function cardState(blocks: Block[], values: ReadonlyMap<string, Value>): CardStateEntry[] {
  return blocks.map(block => entryOf(block, values))
}

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

function entryOf(block: Block, values: ReadonlyMap<string, Value>): CardStateEntry {
  const { id, type } = block
  switch (block.type) {
    case 'input':
    case 'select':
    case 'toggle':
      return { id, type, label: block.label, value: values.has(id) ? values.get(id) : block.value }
    case 'multiselect':
      return { id, type, value: values.has(id) ? values.get(id) : block.value }
    case 'text':
      return { id, type, content: block.content }
    case 'badge':
      return { id, type, label: block.label, variant: block.variant }
    case 'kv':
      return { id, type, rows: block.rows }
    case 'image':
      return { id, type, url: block.url, alt: block.alt ?? '' }
    case 'button':
      return { id, type, buttons: block.buttons.map(({ id, label, style }) => ({ id, label, style })) }
    case 'divider':
      return { id, type }
  }
}

/** Throws `Invalid` for `path` if a viewer's value breaks a rule of its block. It may be empty: clicks check `required`. */
export function checkValue(block: FormBlock, value: unknown, path: readonly PropertyKey[]): Value {
  if (block.disabled) throw new Invalid(path, 'is disabled')
  switch (block.type) {
    case 'toggle':
      if (typeof value !== 'boolean') throw new Invalid(path, 'must be a boolean')
      return value
    case 'select':
      if (value === null) return null
      if (typeof value !== 'string') throw new Invalid(path, 'must be a string or null')
      if (!block.options.some(option => option.value === value))
        throw new Invalid(path, 'must be one of the options')
      return value
    case 'multiselect': {
      if (!isStrings(value)) throw new Invalid(path, 'must be an array of strings')
      const options = new Set(block.options.map(option => option.value))
      if (!value.every(chosen => options.has(chosen)))
        throw new Invalid(path, 'must hold only values of the options')
      if (hasRepeats(value)) throw new Invalid([block.label ?? block.id], 'must not repeat a value')
      return value
    }
    case 'input': {
      if (typeof value !== 'string') throw new Invalid(path, 'must be a string')
      const max = block.max_length ?? BLOCK_STRING_MAX
      if (charCount(value) > max) throw new Invalid(path, `must be at most ${max} characters`)
      const [hasForm, name] = FORMS[block.input_type]
      if (value !== '' && !hasForm(value)) throw new Invalid(path, `must be ${name}`)
      return value
    }
  }
}

function isStrings(value: unknown): value is string[] {
  return Array.isArray(value) && value.every(item => typeof item === 'string')
}

/** The label of the first required field that is empty, or null. */
export function missingField(blocks: Block[], values: ReadonlyMap<string, Value>): string | null {
  for (const block of blocks) {
    if (!isInput(block) || block.type === 'toggle' || !block.required || block.disabled) continue
    const value = values.has(block.id) ? values.get(block.id) : block.value
    const empty =
      value === null || value === undefined || value === '' || (Array.isArray(value) && value.length === 0)
    if (empty || (typeof value === 'string' && value.trim() === '')) return block.label ?? block.id
  }
  return null
}

const NUMBER = /^[+-]?(\d+(\.\d*)?|\.\d+)(e[+-]?\d+)?$/i
const TIME = /^([01]\d|2[0-3]):[0-5]\d(:[0-5]\d(\.\d{1,3})?)?$/

const FORMS: Record<BlockOf<'input'>['input_type'], [(value: string) => boolean, string]> = {
  text: [() => true, 'text'],
  password: [() => true, 'text'],
  number: [value => NUMBER.test(value), 'a number'],
  email: [isEmail, 'an e-mail address'],
  url: [isHttpUrl, 'an http or https URL'],
  date: [isDay, 'a date (YYYY-MM-DD)'],
  time: [value => TIME.test(value), 'a time (HH:MM)'],
}

/** A regular expression would take quadratic time. */
function isEmail(value: string): boolean {
  const at = value.indexOf('@')
  const domain = value.slice(at + 1)
  return at > 0 && !domain.includes('@') && domain.slice(1, -1).includes('.') && !/\s/.test(value)
}

function isDay(value: string): boolean {
  const day = new Date(`${value}T00:00:00Z`)
  return /^\d{4}-\d\d-\d\d$/.test(value) && !Number.isNaN(+day) && day.toISOString().startsWith(value)
}
