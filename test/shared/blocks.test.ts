// Blocks: the fields and defaults of each type, and the limits.
import { describe, expect, test } from 'vitest'
import { block } from '../../shared/block.ts'
import { BADGE_VARIANTS } from '../../shared/blocks/badge.ts'
import { BUTTON_STYLES } from '../../shared/blocks/button.ts'
import { INPUT_TYPES } from '../../shared/blocks/input.ts'
import { stored, UUID_V4, validationError } from '../support/blocks.ts'

const long = (length: number) => 'x'.repeat(length)

describe('defaults', () => {
  const flags = { required: false, disabled: false, send_on_change: false }
  const options = [{ value: 's', label: 's' }]
  const button = { id: 'go', label: 'Go' }
  test.each<[string, object, object]>([
    ['text', { content: 'Hi' }, { size: 'md', bold: false }],
    ['badge', { label: 'New' }, { variant: 'default' }],
    ['kv', { rows: [] }, {}],
    ['button', { buttons: [button] }, { buttons: [{ ...button, style: 'primary', disabled: false }] }],
    ['image', { url: 'https://example.com/a.png' }, {}],
    ['divider', {}, {}],
    ['input', { label: 'Name' }, { value: '', input_type: 'text', multiline: false, ...flags }],
    ['select', { label: 'Size', options: ['s'] }, { options, value: null, ...flags }],
    ['multiselect', { options: ['s'] }, { options, value: [], ...flags }],
    ['toggle', { label: 'On' }, { value: false, disabled: false, send_on_change: false }],
  ])('a %s block %j gets the defaults %j', (type, given, added) => {
    expect(stored({ type, id: 'b', ...given })).toStrictEqual({ type, id: 'b', ...given, ...added })
  })
})

describe('fields', () => {
  const asked = { placeholder: 'p', hint: 'h', required: true, disabled: true, send_on_change: true }
  const options = [
    { value: '', label: 'None' },
    { value: 's', label: 'Small' },
  ]
  test.each([
    { type: 'text', content: '', size: 'lg', bold: true },
    { type: 'badge', label: 'Done', variant: 'success' },
    {
      type: 'kv',
      rows: [
        { key: '', value: '' },
        { key: 'a', value: 'b' },
      ],
    },
    { type: 'button', buttons: [{ id: 'x', label: 'X', style: 'danger', disabled: true, confirm: 'Sure?' }] },
    { type: 'image', url: 'http://example.com', alt: 'A picture' },
    { type: 'divider' },
    { type: 'input', label: 'L', value: 'v', input_type: 'email', multiline: true, max_length: 9, ...asked },
    { type: 'select', label: 'L', options, value: '', ...asked },
    { type: 'multiselect', label: 'L', options, value: ['s', ''], ...asked },
    { type: 'toggle', label: 'L', value: true, hint: 'h', disabled: true, send_on_change: true },
  ])('every field of %j is kept as given', given => {
    expect(stored({ ...given, id: 'b' })).toStrictEqual({ ...given, id: 'b' })
  })
})

describe('enums', () => {
  test.each([
    ...['sm', 'md', 'lg', 'xl'].map(size => ({ type: 'text', content: 'x', size })),
    ...BADGE_VARIANTS.map(variant => ({ type: 'badge', label: 'x', variant })),
    ...BUTTON_STYLES.map(style => ({ type: 'button', buttons: [{ id: 'a', label: 'x', style }] })),
    ...INPUT_TYPES.map(input_type => ({ type: 'input', label: 'x', input_type })),
  ])('every value of the enum is accepted: %j', given => {
    expect(stored(given)).toMatchObject(given)
  })
})

test('a block and a button without an id get a UUID of version 4', () => {
  const made = block.parse({ type: 'button', buttons: [{ label: 'a' }, { label: 'b' }] })
  expect(made.id).toMatch(UUID_V4)
  const ids = made.type === 'button' ? made.buttons.map(({ id }) => id) : []
  expect(ids).toEqual([expect.stringMatching(UUID_V4), expect.stringMatching(UUID_V4)])
  expect(new Set([...ids, made.id]).size).toBe(3)
})

test('options may be strings and objects in one list; all are stored as objects', () => {
  expect(stored({ type: 'select', label: 'L', options: ['a', { value: 'b', label: 'B' }] })).toMatchObject({
    options: [
      { value: 'a', label: 'a' },
      { value: 'b', label: 'B' },
    ],
  })
})

test('null for a clearable field stores the block without it', () => {
  const asked = { placeholder: null, hint: null }
  const bare = (given: object) => Object.keys(stored(given))
  expect(bare({ type: 'image', url: 'http://a.b', alt: null })).not.toContain('alt')
  expect(bare({ type: 'button', buttons: [{ label: 'x', confirm: null }] })).toEqual([
    'type',
    'id',
    'buttons',
  ])
  const cleared = bare({ type: 'input', label: 'L', max_length: null, ...asked })
  for (const field of ['max_length', 'placeholder', 'hint']) expect(cleared).not.toContain(field)
})

test('unknown fields are ignored, in a block, a button, a row and an option', () => {
  const more = { colour: 'red', __proto__x: 1, constructor: 2 }
  expect(stored({ type: 'divider', id: 'd', ...more })).toStrictEqual({ type: 'divider', id: 'd' })
  expect(stored({ type: 'button', id: 'b', buttons: [{ id: 'x', label: 'X', ...more }] })).toStrictEqual({
    type: 'button',
    id: 'b',
    buttons: [{ id: 'x', label: 'X', style: 'primary', disabled: false }],
  })
  expect(stored({ type: 'kv', id: 'k', rows: [{ key: 'a', value: 'b', ...more }] })).toStrictEqual({
    type: 'kv',
    id: 'k',
    rows: [{ key: 'a', value: 'b' }],
  })
  expect(
    stored({ type: 'select', label: 'L', options: [{ value: 'a', label: 'A', ...more }] }),
  ).toMatchObject({ options: [{ value: 'a', label: 'A' }] })
})

describe('lengths', () => {
  test('10,000 emoji are 10,000 characters; one more is invalid', () => {
    expect(stored({ type: 'text', content: '😀'.repeat(10_000) })).toMatchObject({ type: 'text' })
    expect(validationError({ type: 'text', content: '😀'.repeat(10_001) })).toBe(
      'blocks[0].content must be at most 10000 characters',
    )
  })
  test('100 emoji are a block id of 100 characters', () => {
    expect(stored({ type: 'divider', id: '😀'.repeat(100) })).toMatchObject({ type: 'divider' })
    expect(validationError({ type: 'divider', id: '😀'.repeat(101) })).toBe(
      'blocks[0].id must be at most 100 characters',
    )
  })
})

describe('numbers of items', () => {
  const rows = (count: number) => ({ type: 'kv', rows: Array(count).fill({ key: 'k', value: 'v' }) })
  const buttons = (count: number) => ({ type: 'button', buttons: Array(count).fill({ label: 'b' }) })
  const options = (count: number) => ({
    type: 'multiselect',
    options: Array.from({ length: count }, (_, i) => `o${i}`),
  })
  test.each([
    ['200 rows', rows(200)],
    ['25 buttons', buttons(25)],
    ['100 options', options(100)],
    ['an id of 100 characters', { type: 'divider', id: long(100) }],
    ['max_length 1', { type: 'input', label: 'L', max_length: 1 }],
    ['max_length 10000', { type: 'input', label: 'L', max_length: 10_000 }],
  ])('%s are allowed', (_, given) => {
    expect(validationError(given)).toBeNull()
  })
  test.each([
    [rows(201), 'blocks[0].rows must have at most 200 items'],
    [buttons(0), 'blocks[0].buttons must have 1 to 25 items'],
    [buttons(26), 'blocks[0].buttons must have 1 to 25 items'],
    [options(0), 'blocks[0].options must have 1 to 100 items'],
    [options(101), 'blocks[0].options must have 1 to 100 items'],
  ])('other numbers are invalid', (given, message) => {
    expect(validationError(given)).toBe(message)
  })
})
