// Every error of a block names the field and the rule it breaks.
import { expect, test } from 'vitest'
import { validationError } from '../support/blocks.ts'

const LONG = 'x'.repeat(10_001)
const SIZES = 'must be one of sm, md, lg, xl'
const VARIANTS = 'must be one of default, success, warning, error, info, pending'
const STYLES = 'must be one of primary, secondary, danger'
const INPUT_TYPES = 'must be one of text, number, email, url, date, time, password'
const TYPES = 'must be one of text, badge, kv, button, image, divider, input, select, multiselect, toggle'
const URL_RULE = 'must be a valid HTTP or HTTPS URL'
const TOO_LONG = 'must be at most 10000 characters'
const OPTION = 'must be a string, or an object with value and label'

const text = (more: object) => ({ type: 'text', content: 'x', ...more })
const badge = (more: object) => ({ type: 'badge', label: 'x', ...more })
const button = (more: object) => ({ type: 'button', buttons: [{ label: 'x' }, { label: 'y', ...more }] })
const image = (more: object) => ({ type: 'image', url: 'http://a.b', ...more })
const input = (more: object) => ({ type: 'input', label: 'L', ...more })
const select = (more: object) => ({ type: 'select', label: 'L', options: ['a'], ...more })
const multi = (more: object) => ({ type: 'multiselect', options: ['a'], ...more })
const toggle = (more: object) => ({ type: 'toggle', label: 'L', ...more })

type Row = [unknown, string]
/** Blocks in which one field breaks a rule. */
const wrong = (made: (more: object) => object, field: string, rule: string, ...values: unknown[]): Row[] =>
  values.map(value => [made({ [field]: value }), `.${field} ${rule}`])
const buttonWrong = (...[field, rule, ...values]: [string, string, ...unknown[]]) =>
  wrong(button, field, rule, ...values).map(([block, message]): Row => [block, `.buttons[1]${message}`])
const divider = (more: object) => ({ type: 'divider', ...more })
const kv = (rows: unknown) => ({ type: 'kv', rows })

const REFUSED: Row[] = [
  ...[null, 'text', []].map((block): Row => [block, ' must be an object']),
  [{}, '.type is required'],
  ...wrong(more => more, 'type', TYPES, null, 'video', 'constructor', '__proto__', ['text']),

  ...wrong(divider, 'id', 'must be a string', 1, null),
  ...wrong(divider, 'id', 'is required', ''),
  ...wrong(divider, 'id', 'must be at most 100 characters', 'x'.repeat(101)),

  ...wrong(text, 'content', 'is required', undefined),
  ...wrong(text, 'content', 'must be a string', null),
  ...wrong(text, 'content', TOO_LONG, LONG),
  ...wrong(text, 'size', SIZES, 'xxl', null, 1),
  ...wrong(text, 'bold', 'must be a boolean', 'true', null),

  ...wrong(badge, 'label', 'is required', undefined, ''),
  ...wrong(badge, 'label', TOO_LONG, LONG),
  ...wrong(badge, 'variant', VARIANTS, 'danger'),

  [kv(undefined), '.rows is required'],
  [kv({}), '.rows must be an array'],
  [kv([null]), '.rows[0] must be an object'],
  [kv([{ key: 'a' }]), '.rows[0].value is required'],
  [kv([{ value: 'a' }]), '.rows[0].key is required'],
  [kv([{ key: 'a', value: 1 }]), '.rows[0].value must be a string'],
  [kv([{ key: LONG, value: '' }]), `.rows[0].key ${TOO_LONG}`],

  [{ type: 'button' }, '.buttons is required'],
  [{ type: 'button', buttons: 'x' }, '.buttons must be an array'],
  [{ type: 'button', buttons: [null] }, '.buttons[0] must be an object'],
  ...buttonWrong('label', 'is required', undefined, ''),
  ...buttonWrong('id', 'is required', ''),
  ...buttonWrong('id', 'must be at most 100 characters', 'x'.repeat(101)),
  ...buttonWrong('style', STYLES, 'link'),
  ...buttonWrong('disabled', 'must be a boolean', 1),
  ...buttonWrong('confirm', 'must be a string', true),

  ...wrong(image, 'url', 'is required', undefined, ''),
  ...wrong(image, 'url', URL_RULE, '/a.png', 'data:image/png;base64,AA', 'javascript:alert(1)', 'https://'),
  ...wrong(image, 'alt', 'must be a string', 1),

  ...wrong(input, 'label', 'is required', undefined),
  ...wrong(input, 'value', 'must be a string', 1, null),
  ...wrong(input, 'input_type', INPUT_TYPES, 'file'),
  ...wrong(input, 'placeholder', 'must be a string', 1),
  ...wrong(input, 'hint', 'must be a string', []),
  ...wrong(input, 'required', 'must be a boolean', null),
  ...wrong(input, 'multiline', 'must be a boolean', 'no'),
  ...wrong(input, 'max_length', 'must be an integer', '9', 1.5),
  ...wrong(input, 'max_length', 'must be 1 to 10000', 0, 10_001),
  ...wrong(input, 'disabled', 'must be a boolean', 0),
  ...wrong(input, 'send_on_change', 'must be a boolean', 'yes'),

  ...wrong(select, 'label', 'is required', undefined),
  ...wrong(select, 'options', 'is required', undefined),
  ...wrong(select, 'options', 'must be an array', {}),
  [select({ options: ['a', null] }), `.options[1] ${OPTION}`],
  [select({ options: [1] }), `.options[0] ${OPTION}`],
  [select({ options: [''] }), '.options[0] is required'],
  [select({ options: [{ value: 'a' }] }), '.options[0].label is required'],
  [select({ options: [{ label: 'a' }] }), '.options[0].value is required'],
  [select({ options: [{ value: 'a', label: '' }] }), '.options[0].label is required'],
  ...wrong(select, 'value', 'must be a string', ['a']),
  ...wrong(select, 'value', 'must be one of the options', 'b'),
  ...wrong(select, 'placeholder', TOO_LONG, LONG),

  ...wrong(multi, 'label', 'must be a string', null),
  ...wrong(multi, 'label', 'is required', ''),
  ...wrong(multi, 'options', 'is required', undefined),
  ...wrong(multi, 'value', 'must be an array', null, 'a'),
  [multi({ value: [1] }), '.value[0] must be a string'],
  ...wrong(multi, 'value', 'must hold only values of the options', ['a', 'b']),
  ...wrong(multi, 'value', 'must not repeat a value', ['a', 'a']),
  ...wrong(multi, 'value', 'must have at most 100 items', Array(101).fill('a')),

  ...wrong(toggle, 'label', 'is required', undefined),
  ...wrong(toggle, 'value', 'must be a boolean', 'on', null),
  ...wrong(toggle, 'hint', 'must be a string', 1),
]

test.each(REFUSED)('%j is invalid: %s', (given, message) => {
  expect(validationError(given)).toBe(`blocks[0]${message}`)
})
