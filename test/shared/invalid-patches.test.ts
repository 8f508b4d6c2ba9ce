// Every error of a PATCH names the item and the rule it breaks.
import { expect, test } from 'vitest'
import { patchRefusal } from '../support/card-patches.ts'
import { wrong } from '../support/errors.ts'

const STATUSES = 'must be one of default, success, warning, error, pending'
const foreign = (block: string) => `is not a field of ${block} that can be patched`
const one = (id: unknown, patch?: unknown) => ({ blocks: [{ id, ...(patch !== undefined && { patch }) }] })
const rows = (count: number) => Array(count).fill({ key: 'k', value: '' })
const yes = (patch: unknown) => ({ buttons: [{ id: 'yes', patch }] })

/** As parsed JSON has it: even `__proto__` is a field. */
const field = (name: string): unknown => JSON.parse(`{"${name}": {"id": "x"}}`)

const BODIES: [unknown, string][] = [
  ...wrong('status', STATUSES, 'done', null),
  ...wrong('blocks', 'must be an array', null, {}),
  [{ blocks: [null] }, 'blocks[0] must be an object'],
  [{ blocks: [{ patch: {} }] }, 'blocks[0].id is required'],
  [one(1, {}), 'blocks[0].id must be a string'],
  [one('text'), 'blocks[0].patch is required'],
  [one('text', null), 'blocks[0].patch must be an object'],
  [one('text', []), 'blocks[0].patch must be an object'],
  ...['x', '', 'constructor'].map((id): [unknown, string] => [
    one(id, {}),
    `blocks[0]: no block with id "${id}"`,
  ]),
  [
    one('button', { buttons: ['yes', 'x'].map(id => ({ id, patch: {} })) }),
    'blocks[0].buttons[1]: no button with id "x"',
  ],
]

test.each(BODIES)('%j is invalid: %s', (body, message) => {
  expect(patchRefusal(body)).toBe(message)
})

/** A block's id, its patch, and the end of the message after `blocks[0].patch.`. */
type Row = [string, object, string]
const NAMES = ['__proto__', 'constructor', 'hasOwnProperty', 'toString', '']
const PATCHES: Row[] = [
  ['text', { label: 'x' }, `label ${foreign('a text block')}`],
  ['text', { type: 'badge' }, `type ${foreign('a text block')}`],
  ['text', { id: 'y' }, `id ${foreign('a text block')}`],
  ['text', { content: null }, 'content must be a string'],
  ['text', { size: 'xs' }, 'size must be one of sm, md, lg, xl'],
  ['badge', { label: '' }, 'label is required'],
  ['divider', { label: 'x' }, `label ${foreign('a divider block')}`],
  ['image', { label: 'x' }, `label ${foreign('an image block')}`],
  ['image', { url: 'x' }, 'url must be a valid HTTP or HTTPS URL'],
  ['image', { url: null }, 'url must be a string'],
  ['input', { options: [] }, `options ${foreign('an input block')}`],
  ['input', { disabled: null }, 'disabled must be a boolean'],
  ['toggle', { value: null }, 'value must be a boolean'],
  ['toggle', { required: true }, `required ${foreign('a toggle block')}`],
  ['multi', { label: null }, 'label must be a string'],
  ['multi', { options: ['a'] }, 'value must hold only values of the options'],
  ['multi', { value: ['b', 'a', 'b'] }, 'value must not repeat a value'],
  ['select', { value: 'c' }, 'value must be one of the options'],
  ['select', { options: ['c'] }, 'value must be one of the options'],
  ['select', { options: [] }, 'options must have 1 to 100 items'],
  ['kv', { rows: [], append_rows: [] }, 'append_rows cannot be used together with rows'],
  ['kv', { rows: null }, 'rows must be an array'],
  ['kv', { rows: rows(201) }, 'rows must have at most 200 items'],
  ['kv', { append_rows: null }, 'append_rows must be an array'],
  ['kv', { append_rows: [{ key: 'a' }] }, 'append_rows[0].value is required'],
  ['kv', { append_rows: rows(200) }, 'append_rows must leave at most 200 rows'],
  ['button', { buttons: null }, 'buttons must be an array'],
  ['button', { buttons: [null] }, 'buttons[0] must be an object'],
  ['button', yes(null), 'buttons[0].patch must be an object'],
  ['button', { buttons: [{ patch: {} }] }, 'buttons[0].id is required'],
  ...[1, null, { toString: 1, valueOf: 1 }].map(
    (id): Row => ['button', { buttons: [{ id, patch: {} }] }, 'buttons[0].id must be a string'],
  ),
  ['button', yes({ id: 'z' }), `buttons[0].patch.id ${foreign('a button')}`],
  ['button', yes({ label: '' }), 'buttons[0].patch.label is required'],
  ['button', yes({ style: null }), 'buttons[0].patch.style must be one of primary, secondary, danger'],
  ['button', { buttons: [{ id: 'new' }] }, 'buttons[0].label is required'],
  ['button', { buttons: [{ id: 'no', label: 'x' }] }, 'buttons[0].id must be unique in the card'],
  ['button', { buttons: Array(24).fill({ label: 'x' }) }, 'buttons must leave at most 25 buttons'],
  ...NAMES.flatMap(name =>
    ['text', 'kv', 'divider'].map(
      (id): Row => [id, Object(field(name)), `${name} ${foreign(`a ${id} block`)}`],
    ),
  ),
  ...NAMES.map(
    (name): Row => ['button', yes(field(name)), `buttons[0].patch.${name} ${foreign('a button')}`],
  ),
]

test.each(PATCHES)('%s: the patch %j is invalid: %s', (id, patch, message) => {
  expect(patchRefusal(one(id, patch))).toBe(`blocks[0].patch.${message}`)
})

test('the first wrong item is named', () => {
  const blocks = [
    { id: 'text', patch: { content: 'fine' } },
    { id: 'badge', patch: { label: 1 } },
    { id: 'x', patch: {} },
  ]
  expect(patchRefusal({ blocks })).toBe('blocks[1].patch.label must be a string')
})

test('a body that is not an object is invalid', () => {
  for (const body of [null, [], 'x', 1, true])
    expect(patchRefusal(body)).toBe('The request body must be a JSON object')
})
