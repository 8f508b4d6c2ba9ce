// What people may enter into an input block.
import { charCount, isHttpUrl } from '../characters.ts'
import { Invalid } from '../invalid.ts'
import { BLOCK_STRING_MAX } from '../limits.ts'
import type { InputBlock } from './input.ts'
import type { ValueRules } from './value-rules.ts'

export const inputValue: ValueRules<InputBlock> = {
  hasType: value => typeof value === 'string',
  typeRule: 'must be a string',
  isSecret: ({ input_type }) => input_type === 'password',
  check(block, value, path) {
    const max = block.max_length ?? BLOCK_STRING_MAX
    if (charCount(value) > max) throw new Invalid(path, `must be at most ${max} characters`)
    const [hasForm, name] = FORMS[block.input_type]
    if (value !== '' && !hasForm(value)) throw new Invalid(path, `must be ${name}`)
  },
}

const NUMBER = /^[+-]?(\d+(\.\d*)?|\.\d+)(e[+-]?\d+)?$/i
const TIME = /^([01]\d|2[0-3]):[0-5]\d(:[0-5]\d(\.\d{1,3})?)?$/

const FORMS: Record<InputBlock['input_type'], [(value: string) => boolean, string]> = {
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
