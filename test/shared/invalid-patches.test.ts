// Every error of a PATCH names the item and the rule it breaks.
import { expect, test } from 'vitest'
import { patchRefusal } from '../support/card-patches.ts'

const STATUSES = 'must be one of default, success, warning, error, pending'
const foreign = (block: string) => `is not a field of ${block} that can be patched`
const one = (id: unknown, patch?: unknown) => ({ blocks: [{ id, ...(patch !== undefined && { patch }) }] })
const rows = (count: number) => Array(count).fill({ key: 'k', value: '' })
const buttons = (...items: unknown[]) => one('button', { buttons: items })

/** As JSON brings it in: even `__proto__` is a field then. */
const field = (name: string): unknown => JSON.parse(`{"${name}": {"id": "x"}}`)

const REFUSED: [string, unknown, string][] = [
  ['a status that is none', { status: 'done' }, `status ${STATUSES}`],
  ['status null', { status: null }, `status ${STATUSES}`],
  ['blocks null', { blocks: null }, 'blocks must be an array'],
  ['blocks an object', { blocks: {} }, 'blocks must be an array'],
  ['a block null', { blocks: [null] }, 'blocks[0] must be an object'],
  ['no id', { blocks: [{ patch: {} }] }, 'blocks[0].id is required'],
  ['an id that is a number', one(1, {}), 'blocks[0].id must be a string'],
  ['no patch', one('text'), 'blocks[0].patch is required'],
  ['patch null', one('text', null), 'blocks[0].patch must be an object'],
  ['patch a list', one('text', []), 'blocks[0].patch must be an object'],
  ['an unknown block', one('x', {}), 'blocks[0]: no block with id "x"'],
  ['an empty id', one('', {}), 'blocks[0]: no block with id ""'],
  ['an id of Object.prototype', one('constructor', {}), 'blocks[0]: no block with id "constructor"'],

  ['text: label', one('text', { label: 'x' }), `blocks[0].patch.label ${foreign('a text block')}`],
  ['text: its type', one('text', { type: 'badge' }), `blocks[0].patch.type ${foreign('a text block')}`],
  ['text: its id', one('text', { id: 'y' }), `blocks[0].patch.id ${foreign('a text block')}`],
  ['text: content null', one('text', { content: null }), 'blocks[0].patch.content must be a string'],
  ['text: size', one('text', { size: 'xs' }), 'blocks[0].patch.size must be one of sm, md, lg, xl'],
  ['badge: an empty label', one('badge', { label: '' }), 'blocks[0].patch.label is required'],
  [
    'divider: anything',
    one('divider', { label: 'x' }),
    `blocks[0].patch.label ${foreign('a divider block')}`,
  ],
  ['image: url', one('image', { url: 'x' }), 'blocks[0].patch.url must be a valid HTTP or HTTPS URL'],
  ['image: url null', one('image', { url: null }), 'blocks[0].patch.url must be a string'],
  ['input: options', one('input', { options: [] }), `blocks[0].patch.options ${foreign('an input block')}`],
  ['input: disabled null', one('input', { disabled: null }), 'blocks[0].patch.disabled must be a boolean'],
  ['toggle: value null', one('toggle', { value: null }), 'blocks[0].patch.value must be a boolean'],
  [
    'toggle: required',
    one('toggle', { required: true }),
    `blocks[0].patch.required ${foreign('a toggle block')}`,
  ],
  ['multiselect: label null', one('multi', { label: null }), 'blocks[0].patch.label must be a string'],
  ['select: value', one('select', { value: 'c' }), 'blocks[0].patch.value must be one of the options'],
  [
    'select: options that drop the value',
    one('select', { options: ['c'] }),
    'blocks[0].patch.value must be one of the options',
  ],
  [
    'multiselect: options that drop a value',
    one('multi', { options: ['a'] }),
    'blocks[0].patch.value must hold only values of the options',
  ],
  [
    'multiselect: a value twice',
    one('multi', { value: ['b', 'a', 'b'] }),
    'blocks[0].patch.value must not repeat a value',
  ],
  ...['__proto__', 'constructor', 'hasOwnProperty', 'toString', ''].flatMap(
    (name): [string, unknown, string][] => [
      [`text: ${name}`, one('text', field(name)), `blocks[0].patch.${name} ${foreign('a text block')}`],
      [`kv: ${name}`, one('kv', field(name)), `blocks[0].patch.${name} ${foreign('a kv block')}`],
      [
        `divider: ${name}`,
        one('divider', field(name)),
        `blocks[0].patch.${name} ${foreign('a divider block')}`,
      ],
      [
        `button: ${name} of a button`,
        buttons({ id: 'yes', patch: field(name) }),
        `blocks[0].patch.buttons[0].patch.${name} ${foreign('a button')}`,
      ],
    ],
  ),
  ['select: no options', one('select', { options: [] }), 'blocks[0].patch.options must have 1 to 100 items'],

  [
    'rows and append_rows',
    one('kv', { rows: [], append_rows: [] }),
    'blocks[0].patch.append_rows cannot be used together with rows',
  ],
  ['rows null', one('kv', { rows: null }), 'blocks[0].patch.rows must be an array'],
  ['201 rows', one('kv', { rows: rows(201) }), 'blocks[0].patch.rows must have at most 200 items'],
  ['append_rows null', one('kv', { append_rows: null }), 'blocks[0].patch.append_rows must be an array'],
  [
    'a row without value',
    one('kv', { append_rows: [{ key: 'a' }] }),
    'blocks[0].patch.append_rows[0].value is required',
  ],
  [
    'rows that would be 201',
    one('kv', { append_rows: rows(200) }),
    'blocks[0].patch.append_rows must leave at most 200 rows',
  ],

  ['buttons null', one('button', { buttons: null }), 'blocks[0].patch.buttons must be an array'],
  ['a button null', buttons(null), 'blocks[0].patch.buttons[0] must be an object'],
  [
    'an inner patch null',
    buttons({ id: 'yes', patch: null }),
    'blocks[0].patch.buttons[0].patch must be an object',
  ],
  ['an inner patch without id', buttons({ patch: {} }), 'blocks[0].patch.buttons[0].id is required'],
  [
    'an unknown button',
    buttons({ id: 'yes', patch: {} }, { id: 'x', patch: {} }),
    'blocks[0].buttons[1]: no button with id "x"',
  ],
  [
    'a button id that is a number',
    buttons({ id: 1, patch: {} }),
    'blocks[0].patch.buttons[0].id must be a string',
  ],
  ['a button id null', buttons({ id: null, patch: {} }), 'blocks[0].patch.buttons[0].id must be a string'],
  [
    'a button id that cannot become a string',
    buttons({ id: { toString: 1, valueOf: 1 }, patch: {} }),
    'blocks[0].patch.buttons[0].id must be a string',
  ],
  [
    'the id of a button',
    buttons({ id: 'yes', patch: { id: 'z' } }),
    `blocks[0].patch.buttons[0].patch.id ${foreign('a button')}`,
  ],
  [
    'an empty button label',
    buttons({ id: 'yes', patch: { label: '' } }),
    'blocks[0].patch.buttons[0].patch.label is required',
  ],
  [
    'a button style',
    buttons({ id: 'yes', patch: { style: null } }),
    'blocks[0].patch.buttons[0].patch.style must be one of primary, secondary, danger',
  ],
  ['a new button without label', buttons({ id: 'new' }), 'blocks[0].patch.buttons[0].label is required'],
  [
    'a new button with a known id',
    buttons({ id: 'no', label: 'x' }),
    'blocks[0].patch.buttons[0].id must be unique in the card',
  ],
  [
    'the 26th button',
    buttons(...Array.from({ length: 24 }, () => ({ label: 'x' }))),
    'blocks[0].patch.buttons must leave at most 25 buttons',
  ],
]

test.each(REFUSED)('%s is invalid', (_, body, message) => {
  expect(patchRefusal(body)).toBe(message)
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
