// The ten block types. A schema's input is what may be posted; its output is what is stored, with defaults filled in.
import { z } from 'zod'
import { hasRepeats, newUuid } from './characters.ts'
import { commentRule, decision, newDecision } from './decision.ts'
import { BLOCK_ID_MAX, BLOCK_STRING_MAX, BUTTONS_MAX, KV_ROWS_MAX, OPTIONS_MAX, URL_MAX } from './limits.ts'
import { requiredHttpUrl, requiredText, text } from './text.ts'

export const TEXT_SIZES = ['sm', 'md', 'lg', 'xl'] as const
export const BADGE_VARIANTS = ['default', 'success', 'warning', 'error', 'info', 'pending'] as const
export const BUTTON_STYLES = ['primary', 'secondary', 'danger'] as const
export const INPUT_TYPES = ['text', 'number', 'email', 'url', 'date', 'time', 'password'] as const

/** Null clears the field: the stored block doesn't have it. */
function clearable(schema: z.ZodString) {
  return schema
    .nullish()
    .transform(value => value ?? undefined)
    .pipe(schema.optional())
}

/** Removes undefined fields: JSON in rows can't have them, and documents must equal rows. */
function withoutCleared<T extends object>(value: T): T {
  for (const [name, field] of Object.entries(value))
    if (field === undefined) Reflect.deleteProperty(value, name)
  return value
}

const id = requiredText(BLOCK_ID_MAX)
  .default(newUuid)
  .meta({ default: undefined, description: 'Unique in the card. Without one, a UUID is generated.' })
const content = text(BLOCK_STRING_MAX)
const label = requiredText(BLOCK_STRING_MAX)
const disabled = z.boolean().default(false)
const required = z.boolean().default(false)
const send_on_change = z
  .boolean()
  .default(false)
  .describe('Whether a change is sent at once, as an `input_change` interaction.')
const placeholder = clearable(content)
const hint = clearable(content)
const entry = { placeholder, hint, required, disabled, send_on_change }

export const kvRow = z.object({ key: content, value: content })
export type KvRow = z.output<typeof kvRow>

export const kvRows = z.array(kvRow).max(KV_ROWS_MAX, `must have at most ${KV_ROWS_MAX} items`)

export const button = z
  .object({
    id,
    label,
    style: z.enum(BUTTON_STYLES).default('primary'),
    disabled,
    confirm: clearable(content).describe('A question to confirm before the click is sent.'),
    comment: commentRule
      .nullish()
      .transform(value => value ?? undefined)
      .pipe(commentRule.optional())
      .describe('Replaces `decision.comment` for this button.'),
  })
  .overwrite(withoutCleared)
export type BlockButton = z.output<typeof button>

const storedOption = z.object({ value: content, label })
export type BlockOption = z.output<typeof storedOption>

const option = z
  .union(
    [requiredText(BLOCK_STRING_MAX), storedOption],
    'must be a string, or an object with value and label',
  )
  .transform(value => (typeof value === 'string' ? { value, label: value } : value))
  .pipe(storedOption)

export function listOf<S extends z.ZodType>(item: S, max: number) {
  const rule = `must have 1 to ${max} items`
  return z.array(item).min(1, rule).max(max, rule)
}

const options = listOf(option, OPTIONS_MAX)

function hasAll(options: BlockOption[], chosen: string[]): boolean {
  const values = new Set(options.map(({ value }) => value))
  return chosen.every(value => values.has(value))
}

export const textBlock = z.object({
  type: z.literal('text'),
  id,
  content: content.describe('Plain text: line breaks are kept, and addresses become links.'),
  size: z.enum(TEXT_SIZES).default('md'),
  bold: z.boolean().default(false),
})

export const badgeBlock = z.object({
  type: z.literal('badge'),
  id,
  label,
  variant: z.enum(BADGE_VARIANTS).default('default'),
})

export const kvBlock = z.object({ type: z.literal('kv'), id, rows: kvRows })

export const buttonBlock = z.object({
  type: z.literal('button'),
  id,
  buttons: listOf(button, BUTTONS_MAX),
  decision: decision.optional(),
})

/** As it is sent: `decision` holds what is asked, instead of the decision's public form. */
export const newButtonBlock = buttonBlock
  .extend({ decision: newDecision.nullish().describe('Asks a question: the first press decides.') })
  .refine(
    ({ decision, buttons }) =>
      (decision?.approves ?? null) === null || hasButton(buttons, decision?.approves),
    { path: ['decision', 'approves'], message: 'must be the id of one of its buttons' },
  )

const hasButton = (buttons: BlockButton[], id: unknown) => buttons.some(button => button.id === id)

export const imageBlock = z.object({
  type: z.literal('image'),
  id,
  url: requiredHttpUrl(URL_MAX),
  alt: clearable(content),
})

export const dividerBlock = z.object({ type: z.literal('divider'), id })

const maxLength = z
  .int('must be an integer')
  .min(1, `must be 1 to ${BLOCK_STRING_MAX}`)
  .max(BLOCK_STRING_MAX, `must be 1 to ${BLOCK_STRING_MAX}`)

export const inputBlock = z.object({
  type: z.literal('input'),
  id,
  label,
  value: content.default(''),
  input_type: z.enum(INPUT_TYPES).default('text'),
  placeholder,
  hint,
  required,
  multiline: z.boolean().default(false),
  max_length: maxLength
    .nullish()
    .transform(value => value ?? undefined)
    .pipe(maxLength.optional()),
  disabled,
  send_on_change,
})

export const selectBlock = z
  .object({
    type: z.literal('select'),
    id,
    label,
    options,
    value: content.nullable().default(null),
    ...entry,
  })
  .refine(block => block.value === null || block.options.some(({ value }) => value === block.value), {
    path: ['value'],
    message: 'must be one of the options',
  })

export const multiselectBlock = z
  .object({
    type: z.literal('multiselect'),
    id,
    label: label.optional(),
    options,
    value: z
      .array(content)
      .max(OPTIONS_MAX, `must have at most ${OPTIONS_MAX} items`)
      .meta({ uniqueItems: true })
      .default([]),
    ...entry,
  })
  .refine(block => hasAll(block.options, block.value), {
    path: ['value'],
    message: 'must hold only values of the options',
  })
  .refine(block => !hasRepeats(block.value), { path: ['value'], message: 'must not repeat a value' })

export const toggleBlock = z.object({
  type: z.literal('toggle'),
  id,
  label,
  value: z.boolean().default(false),
  hint,
  disabled,
  send_on_change,
})

const beforeButtons = [textBlock, badgeBlock, kvBlock] as const
const afterButtons = [
  imageBlock,
  dividerBlock,
  inputBlock,
  selectBlock,
  multiselectBlock,
  toggleBlock,
] as const

export const block = z
  .discriminatedUnion('type', [...beforeButtons, buttonBlock, ...afterButtons])
  .overwrite(withoutCleared)

/** As it is sent. */
export const newBlock = z
  .discriminatedUnion('type', [...beforeButtons, newButtonBlock, ...afterButtons])
  .overwrite(withoutCleared)
export type NewBlock = z.output<typeof newBlock>

export type Block = z.output<typeof block>
export type BlockType = Block['type']
export type BlockOf<T extends BlockType> = Extract<Block, { type: T }>
