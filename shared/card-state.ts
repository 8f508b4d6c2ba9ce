// The card's state as an interaction sends it: an entry per block, with the viewer's values instead of the card's. Pure.
import type { Block } from './block.ts'
import { charCount, hasRepeats, isHttpUrl } from './characters.ts'
import { Invalid } from './invalid.ts'

export type InputBlock = Extract<Block, { type: 'input' | 'select' | 'multiselect' | 'toggle' }>
export type Value = string | string[] | boolean | null
export type CardStateEntry = { id: string; type: Block['type'] } & Record<string, unknown>

/** A block that takes a viewer's value. */
export function isInput(block: Block): block is InputBlock {
  return (
    block.type === 'input' ||
    block.type === 'select' ||
    block.type === 'multiselect' ||
    block.type === 'toggle'
  )
}

/** `values`: block id → the viewer's value, already checked. */
export function cardState(blocks: Block[], values: ReadonlyMap<string, Value>): CardStateEntry[] {
  return blocks.map(block => entryOf(block, values))
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

/**
 * Checks a viewer's value against its block: type, options, `input_type`, `max_length`, `disabled`. Throws `Invalid`,
 * which names `path`. An empty value is valid: `required` is checked on a click.
 */
export function checkValue(block: InputBlock, value: unknown, path: readonly PropertyKey[]): Value {
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
      if (hasRepeats(value)) throw new Invalid([], `${block.label ?? block.id} must not repeat a value`)
      return value
    }
    case 'input': {
      if (typeof value !== 'string') throw new Invalid(path, 'must be a string')
      const max = block.max_length ?? 10_000
      if (charCount(value) > max) throw new Invalid(path, `must be at most ${max} characters`)
      if (value !== '' && !FORMS[block.input_type](value))
        throw new Invalid(path, `must be ${WORDS[block.input_type]}`)
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

type InputType = Extract<Block, { type: 'input' }>['input_type']

const matches = (form: RegExp) => (value: string) => form.test(value)

const FORMS: Record<InputType, (value: string) => boolean> = {
  text: () => true,
  password: () => true,
  number: matches(/^[+-]?(\d+(\.\d*)?|\.\d+)(e[+-]?\d+)?$/i),
  email: isEmail,
  url: isHttpUrl,
  date: isDay,
  time: matches(/^([01]\d|2[0-3]):[0-5]\d(:[0-5]\d(\.\d{1,3})?)?$/),
}

/** One @ with something before it, a dot inside the part after it, and no white space. Takes linear time. */
function isEmail(value: string): boolean {
  const at = value.indexOf('@')
  const domain = value.slice(at + 1)
  return at > 0 && !domain.includes('@') && domain.slice(1, -1).includes('.') && !/\s/.test(value)
}

/** An existing day of the calendar. */
function isDay(value: string): boolean {
  const day = new Date(`${value}T00:00:00Z`)
  return /^\d{4}-\d\d-\d\d$/.test(value) && !Number.isNaN(+day) && day.toISOString().startsWith(value)
}

const WORDS: Record<InputType, string> = {
  text: 'text',
  password: 'text',
  number: 'a number',
  email: 'an e-mail address',
  url: 'an http or https URL',
  date: 'a date (YYYY-MM-DD)',
  time: 'a time (HH:MM)',
}
