// The arguments of an action on a card: inputs for those that the person may change, JSON for the others. All of them, or an error.
import type { z } from 'zod'
import type { newBlock } from '../shared/block.ts'
import { charCount } from '../shared/characters.ts'
import { BLOCK_ID_MAX, OPTIONS_MAX } from '../shared/limits.ts'
import { shownJson, shownText, tooLongToShow } from '../shared/shown-arguments.ts'
import { InvalidRequestError } from './errors.ts'

/** `verifyDecision` compares this block with the arguments. */
const ARGS_BLOCK = 'args'

export type ActionArguments = Record<string, unknown>

type SentBlock = z.input<typeof newBlock>
type FieldBlock = Extract<SentBlock, { type: 'input' | 'select' | 'toggle' }>

/** An argument that the person may change. `read`: the value for what was entered, undefined if there is none. */
type Field = { name: string; block: FieldBlock; read: (entered: unknown) => unknown; rule: string }

/** `hidden`: it shows escapes of characters that would otherwise be invisible. */
export type ReviewForm = { blocks: SentBlock[]; fields: Field[]; hidden: boolean }

/** `schema`: a JSON Schema of the arguments; null if none may be changed. Throws if the card can't show them all as they are. */
export function reviewForm(args: ActionArguments, schema: object | null): ReviewForm {
  if (!isJson(args)) throw new InvalidRequestError(null, 'The arguments must be JSON')
  const entries = Object.entries(args)
  const fields = schema ? entries.flatMap(([name, value]) => fieldOf(name, value, schema) ?? []) : []
  const names = new Set(fields.map(({ name }) => name))
  const others = entries.filter(([name]) => !names.has(name))
  const needsJson = others.length > 0 || fields.length === 0
  const json = needsJson ? shownJson(Object.fromEntries(others)) : null
  const problem = tooLongToShow([
    ...fields.flatMap(({ name, block }) => [name, String(block.value)]),
    ...(json ? [json.text] : []),
  ])
  if (problem !== null) throw new InvalidRequestError(null, problem)
  const text = json && { type: 'text' as const, id: ARGS_BLOCK, content: json.text }
  return {
    fields,
    blocks: [...fields.map(({ block }) => block), ...(text ? [text] : [])],
    hidden: json?.hidden ?? false,
  }
}

export type EnteredArguments = { args: ActionArguments; changed: boolean } | { problem: string }

/** `values`: of the card's inputs, by block. */
export function enteredArguments(
  { fields }: ReviewForm,
  args: ActionArguments,
  values: Record<string, unknown>,
): EnteredArguments {
  const changes = new Map<string, unknown>()
  for (const { name, block, read, rule } of fields) {
    const entered = values[block.id ?? '']
    if (entered === block.value) continue
    const value = read(entered)
    if (value === undefined) return { problem: `${name} ${rule}, not ${JSON.stringify(entered ?? null)}` }
    changes.set(name, value)
  }
  return { args: { ...args, ...Object.fromEntries(changes) }, changed: changes.size > 0 }
}

/** Null for what an input can't show as it is, or can't hold. */
function fieldOf(name: string, value: unknown, schema: object): Field | null {
  const id = `arg:${name}`
  if (name.trim() === '' || /[\t\n]/.test(name) || shownText(name).hidden || charCount(id) > BLOCK_ID_MAX)
    return null
  const same = { id, label: name }
  if (typeof value === 'boolean')
    return {
      name,
      block: { type: 'toggle', ...same, value },
      read: entered => (typeof entered === 'boolean' ? entered : undefined),
      rule: 'must be on or off',
    }
  if (typeof value !== 'string' && typeof value !== 'number') return null
  const text = String(value)
  if (shownText(text).hidden) return null
  const options = optionsOf(schema, name, value)
  if (options)
    return {
      name,
      block: { type: 'select', ...same, options: options.map(String), value: text },
      read: entered => options.find(option => String(option) === entered),
      rule: 'must be one of the options',
    }
  return typeof value === 'number'
    ? {
        name,
        block: { type: 'input', ...same, input_type: 'number', value: text },
        read: readNumber,
        rule: 'must be a number',
      }
    : {
        name,
        block: { type: 'input', ...same, multiline: isLong(text), value: text },
        read: entered => (typeof entered === 'string' ? entered : undefined),
        rule: 'must be a text',
      }
}

/** The `enum` of an argument, if a select block can offer it and the value is in it. */
function optionsOf(schema: object, name: string, value: string | number): unknown[] | null {
  const properties = fieldIn(schema, 'properties')
  const options = fieldIn(fieldIn(properties, name), 'enum')
  if (!Array.isArray(options) || !options.includes(value) || options.length > OPTIONS_MAX) return null
  const fits = (option: unknown) =>
    typeof option === typeof value && option !== '' && !shownText(String(option)).hidden
  return options.every(fits) ? options : null
}

function fieldIn(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null && Object.hasOwn(value, name)
    ? Reflect.get(value, name)
    : undefined
}

/** A one-line input would swallow line breaks. */
const isLong = (text: string) => text.includes('\n') || text.length > 80

function readNumber(entered: unknown): number | undefined {
  if (typeof entered !== 'string' || entered.trim() === '') return undefined
  const number = Number(entered)
  return Number.isFinite(number) ? number : undefined
}

/** Otherwise the card would show something else: `null` for NaN, `{}` for a Map. A field that is undefined counts as missing. */
function isJson(value: unknown): boolean {
  if (typeof value === 'number') return Number.isFinite(value)
  if (value === null || typeof value === 'string' || typeof value === 'boolean') return true
  if (Array.isArray(value)) return value.every(isJson)
  if (typeof value !== 'object') return false
  const prototype: unknown = Object.getPrototypeOf(value)
  if (prototype !== null && prototype !== Object.prototype) return false
  return Object.values(value).every(item => item === undefined || isJson(item))
}
