// An input block: a field for text, a number, a date or a password.
import { z } from 'zod'
import { BLOCK_STRING_MAX } from '../limits.ts'
import { type BlockDefinition, replaceFields } from './definition.ts'
import {
  content,
  disabled,
  hint,
  id,
  label,
  patchOf,
  placeholder,
  required,
  send_on_change,
} from './fields.ts'

export const INPUT_TYPES = ['text', 'number', 'email', 'url', 'date', 'time', 'password'] as const

const LENGTH_RULE = `must be 1 to ${BLOCK_STRING_MAX}`
const maxLength = z.int('must be an integer').min(1, LENGTH_RULE).max(BLOCK_STRING_MAX, LENGTH_RULE)

const schema = z.object({
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

export type InputBlock = z.output<typeof schema>

export const inputBlock = {
  schema,
  sent: schema,
  patch: patchOf(schema),
  state: schema.pick({ id: true, type: true, label: true, value: true }),
  title: [['label']],
  change: replaceFields(schema),
} satisfies BlockDefinition<InputBlock>
