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
const OPTION = 'must be a string, or an object with value and label'

const text = (more: object) => ({ type: 'text', content: 'x', ...more })
const badge = (more: object) => ({ type: 'badge', label: 'x', ...more })
const button = (more: object) => ({ type: 'button', buttons: [{ label: 'x' }, { label: 'y', ...more }] })
const image = (more: object) => ({ type: 'image', url: 'http://a.b', ...more })
const input = (more: object) => ({ type: 'input', label: 'L', ...more })
const select = (more: object) => ({ type: 'select', label: 'L', options: ['a'], ...more })
const multi = (more: object) => ({ type: 'multiselect', options: ['a'], ...more })
const toggle = (more: object) => ({ type: 'toggle', label: 'L', ...more })

const REFUSED: [string, unknown, string][] = [
  ['no block', null, ' must be an object'],
  ['a string', 'text', ' must be an object'],
  ['a list', [], ' must be an object'],
  ['no type', {}, '.type is required'],
  ['type null', { type: null }, `.type ${TYPES}`],
  ['an unknown type', { type: 'video' }, `.type ${TYPES}`],
  ['a type of Object.prototype', { type: 'constructor' }, `.type ${TYPES}`],
  ['a type __proto__', { type: '__proto__' }, `.type ${TYPES}`],
  ['a type that is a list', { type: ['text'] }, `.type ${TYPES}`],

  ['an id that is a number', { type: 'divider', id: 1 }, '.id must be a string'],
  ['id null', { type: 'divider', id: null }, '.id must be a string'],
  ['an empty id', { type: 'divider', id: '' }, '.id is required'],
  ['a long id', { type: 'divider', id: 'x'.repeat(101) }, '.id must be at most 100 characters'],

  ['text: no content', { type: 'text' }, '.content is required'],
  ['text: content null', text({ content: null }), '.content must be a string'],
  ['text: a long content', text({ content: LONG }), '.content must be at most 10000 characters'],
  ['text: size', text({ size: 'xxl' }), `.size ${SIZES}`],
  ['text: size null', text({ size: null }), `.size ${SIZES}`],
  ['text: size a number', text({ size: 1 }), `.size ${SIZES}`],
  ['text: bold', text({ bold: 'true' }), '.bold must be a boolean'],
  ['text: bold null', text({ bold: null }), '.bold must be a boolean'],

  ['badge: no label', { type: 'badge' }, '.label is required'],
  ['badge: an empty label', badge({ label: '' }), '.label is required'],
  ['badge: a long label', badge({ label: LONG }), '.label must be at most 10000 characters'],
  ['badge: variant', badge({ variant: 'danger' }), `.variant ${VARIANTS}`],

  ['kv: no rows', { type: 'kv' }, '.rows is required'],
  ['kv: rows an object', { type: 'kv', rows: {} }, '.rows must be an array'],
  ['kv: a row null', { type: 'kv', rows: [null] }, '.rows[0] must be an object'],
  ['kv: no value', { type: 'kv', rows: [{ key: 'a' }] }, '.rows[0].value is required'],
  ['kv: no key', { type: 'kv', rows: [{ value: 'a' }] }, '.rows[0].key is required'],
  ['kv: a number', { type: 'kv', rows: [{ key: 'a', value: 1 }] }, '.rows[0].value must be a string'],
  [
    'kv: long',
    { type: 'kv', rows: [{ key: LONG, value: '' }] },
    '.rows[0].key must be at most 10000 characters',
  ],

  ['button: no buttons', { type: 'button' }, '.buttons is required'],
  ['button: no list', { type: 'button', buttons: 'x' }, '.buttons must be an array'],
  ['button: null', { type: 'button', buttons: [null] }, '.buttons[0] must be an object'],
  ['button: no label', button({ label: undefined }), '.buttons[1].label is required'],
  ['button: an empty label', button({ label: '' }), '.buttons[1].label is required'],
  ['button: an empty id', button({ id: '' }), '.buttons[1].id is required'],
  ['button: a long id', button({ id: 'x'.repeat(101) }), '.buttons[1].id must be at most 100 characters'],
  ['button: style', button({ style: 'link' }), `.buttons[1].style ${STYLES}`],
  ['button: disabled', button({ disabled: 1 }), '.buttons[1].disabled must be a boolean'],
  ['button: confirm', button({ confirm: true }), '.buttons[1].confirm must be a string'],

  ['image: no url', { type: 'image' }, '.url is required'],
  ['image: an empty url', image({ url: '' }), '.url is required'],
  ['image: a path', image({ url: '/a.png' }), `.url ${URL_RULE}`],
  ['image: data', image({ url: 'data:image/png;base64,AA' }), `.url ${URL_RULE}`],
  ['image: javascript', image({ url: 'javascript:alert(1)' }), `.url ${URL_RULE}`],
  ['image: no host', image({ url: 'https://' }), `.url ${URL_RULE}`],
  ['image: alt', image({ alt: 1 }), '.alt must be a string'],

  ['input: no label', { type: 'input' }, '.label is required'],
  ['input: value', input({ value: 1 }), '.value must be a string'],
  ['input: value null', input({ value: null }), '.value must be a string'],
  ['input: input_type', input({ input_type: 'file' }), `.input_type ${INPUT_TYPES}`],
  ['input: placeholder', input({ placeholder: 1 }), '.placeholder must be a string'],
  ['input: hint', input({ hint: [] }), '.hint must be a string'],
  ['input: required', input({ required: null }), '.required must be a boolean'],
  ['input: multiline', input({ multiline: 'no' }), '.multiline must be a boolean'],
  ['input: max_length a string', input({ max_length: '9' }), '.max_length must be an integer'],
  ['input: max_length 1.5', input({ max_length: 1.5 }), '.max_length must be an integer'],
  ['input: max_length 0', input({ max_length: 0 }), '.max_length must be 1 to 10000'],
  ['input: max_length 10001', input({ max_length: 10_001 }), '.max_length must be 1 to 10000'],
  ['input: disabled', input({ disabled: 0 }), '.disabled must be a boolean'],
  ['input: send_on_change', input({ send_on_change: 'yes' }), '.send_on_change must be a boolean'],

  ['select: no label', select({ label: undefined }), '.label is required'],
  ['select: no options', { type: 'select', label: 'L' }, '.options is required'],
  ['select: options an object', select({ options: {} }), '.options must be an array'],
  ['select: an option null', select({ options: ['a', null] }), `.options[1] ${OPTION}`],
  ['select: an option a number', select({ options: [1] }), `.options[0] ${OPTION}`],
  ['select: an empty option', select({ options: [''] }), '.options[0] is required'],
  ['select: no option label', select({ options: [{ value: 'a' }] }), '.options[0].label is required'],
  ['select: no option value', select({ options: [{ label: 'a' }] }), '.options[0].value is required'],
  [
    'select: an empty option label',
    select({ options: [{ value: 'a', label: '' }] }),
    '.options[0].label is required',
  ],
  ['select: value a list', select({ value: ['a'] }), '.value must be a string'],
  ['select: another value', select({ value: 'b' }), '.value must be one of the options'],
  ['select: placeholder', select({ placeholder: LONG }), '.placeholder must be at most 10000 characters'],

  ['multiselect: label null', multi({ label: null }), '.label must be a string'],
  ['multiselect: an empty label', multi({ label: '' }), '.label is required'],
  ['multiselect: no options', { type: 'multiselect' }, '.options is required'],
  ['multiselect: value null', multi({ value: null }), '.value must be an array'],
  ['multiselect: value a string', multi({ value: 'a' }), '.value must be an array'],
  ['multiselect: a number', multi({ value: [1] }), '.value[0] must be a string'],
  ['multiselect: another value', multi({ value: ['a', 'b'] }), '.value must hold only values of the options'],
  ['multiselect: a value twice', multi({ value: ['a', 'a'] }), '.value must not repeat a value'],
  ['multiselect: too many', multi({ value: Array(101).fill('a') }), '.value must have at most 100 items'],

  ['toggle: no label', { type: 'toggle' }, '.label is required'],
  ['toggle: value', toggle({ value: 'on' }), '.value must be a boolean'],
  ['toggle: value null', toggle({ value: null }), '.value must be a boolean'],
  ['toggle: hint', toggle({ hint: 1 }), '.hint must be a string'],
]

test.each(REFUSED)('%s is invalid', (_, given, message) => {
  expect(validationError(given)).toBe(`blocks[0]${message}`)
})
