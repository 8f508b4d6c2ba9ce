// PATCH of a card: the specification's four rules and our own.
import { describe, expect, test } from 'vitest'
import { patchCard } from '../../shared/card-patch.ts'
import { UUID_V4 } from '../support/blocks.ts'
import { BEFORE, blockBefore, card, NOW, patched, patchedBlock } from '../support/card-patches.ts'

test('status changes, and the blocks stay', () => {
  expect(patched({ status: 'success' })).toStrictEqual({ ...card, status: 'success', updated_at: NOW })
})

test('only listed blocks change, and of them only the fields in the patch', () => {
  const after = patched({ blocks: [{ id: 'text', patch: { content: 'New' } }] })
  const [text, ...others] = after.blocks
  expect(text).toStrictEqual({ ...blockBefore('text'), content: 'New' })
  expect(others).toStrictEqual(card.blocks.slice(1))
  expect(after.status).toBe(card.status)
})

test.each([{}, { status: undefined }, { blocks: [] }, { unknown: 1 }])(
  'an empty PATCH %j changes nothing, not even updated_at',
  body => {
    expect(patched(body)).toStrictEqual(card)
    expect(patched(body).updated_at).toBe(BEFORE)
  },
)

test.each([{ status: card.status }, { blocks: [{ id: 'text', patch: {} }] }])(
  'any other PATCH changes updated_at, even without new values: %j',
  body => {
    expect(patched(body)).toStrictEqual({ ...card, updated_at: NOW })
  },
)

describe('fields', () => {
  test.each([
    ['text', { content: '', size: 'sm', bold: false }],
    ['badge', { label: 'New', variant: 'success' }],
    ['kv', { rows: [{ key: 'b', value: '2' }] }],
    ['image', { url: 'https://new.example', alt: 'New' }],
    [
      'input',
      {
        label: 'New',
        value: 'n',
        input_type: 'url',
        placeholder: 'q',
        hint: 'i',
        required: true,
        multiline: true,
        max_length: 9,
        disabled: true,
        send_on_change: true,
      },
    ],
    ['select', { label: 'New', value: 'b', placeholder: 'q', hint: 'i', required: true, disabled: true }],
    ['multi', { label: 'New', value: [], placeholder: 'q', hint: 'i', send_on_change: true }],
    ['toggle', { label: 'New', value: false, hint: 'i', disabled: true, send_on_change: true }],
  ])('the fields of the block %s can be patched', (id, patch) => {
    expect(patchedBlock(id, patch)).toStrictEqual({ ...blockBefore(id), ...patch })
  })
})

describe('null', () => {
  test.each([
    ['image', 'alt'],
    ['input', 'placeholder'],
    ['input', 'hint'],
    ['input', 'max_length'],
    ['select', 'placeholder'],
    ['select', 'hint'],
    ['toggle', 'hint'],
  ])('null clears a field of %s: %s', (id, field) => {
    const before: Record<string, unknown> = { ...blockBefore(id) }
    const { [field]: cleared, ...rest } = before
    expect(cleared).toBeDefined()
    expect(patchedBlock(id, { [field]: null })).toStrictEqual(rest)
  })

  test('null clears confirm of a button', () => {
    const after = patchedBlock('button', { buttons: [{ id: 'yes', patch: { confirm: null } }] })
    expect(after).toHaveProperty('buttons[0]', { id: 'yes', label: 'Yes', style: 'danger', disabled: false })
  })

  test('the value of a select becomes null', () => {
    expect(patchedBlock('select', { value: null })).toStrictEqual({ ...blockBefore('select'), value: null })
  })
})

describe('rows', () => {
  const row = { key: 'b', value: '2' }
  test('append_rows adds rows and keeps the existing ones', () => {
    expect(patchedBlock('kv', { append_rows: [row, row] })).toHaveProperty('rows', [
      { key: 'a', value: '1' },
      row,
      row,
    ])
  })
  test('rows replaces all', () => {
    expect(patchedBlock('kv', { rows: [row] })).toHaveProperty('rows', [row])
    expect(patchedBlock('kv', { rows: [] })).toHaveProperty('rows', [])
  })
  test('more than 200 rows are invalid', () => {
    const rows = Array(199).fill(row)
    expect(patchedBlock('kv', { append_rows: rows })).toHaveProperty('rows.length', 200)
  })
})

describe('buttons', () => {
  test('an inner patch changes only the named fields of the button with that id', () => {
    const change = { label: 'Nope', style: 'secondary', disabled: true, confirm: 'Really?' }
    expect(patchedBlock('button', { buttons: [{ id: 'no', patch: change }] })).toHaveProperty('buttons', [
      { id: 'yes', label: 'Yes', style: 'danger', disabled: false, confirm: 'Sure?' },
      { id: 'no', ...change },
    ])
  })
  test('an item without a patch is a new button, at the end', () => {
    const after = patchedBlock('button', { buttons: [{ id: 'more', label: 'More' }, { label: 'Even more' }] })
    expect(after).toHaveProperty('buttons[2]', {
      id: 'more',
      label: 'More',
      style: 'primary',
      disabled: false,
    })
    expect(after).toHaveProperty('buttons[3].id', expect.stringMatching(UUID_V4))
  })
  test('a button that was appended can be patched by a later item', () => {
    const buttons = [
      { id: 'more', label: 'More' },
      { id: 'more', patch: { disabled: true } },
    ]
    expect(patchedBlock('button', { buttons })).toHaveProperty('buttons[2].disabled', true)
  })
  test('an empty list changes nothing', () => {
    expect(patchedBlock('button', { buttons: [] })).toStrictEqual(blockBefore('button'))
  })
})

describe('a block listed twice', () => {
  const twice = (id: string, patches: object[]) =>
    patched({ blocks: patches.map(patch => ({ id, patch })) }).blocks.find(block => block.id === id)
  const [before, x, y] = [[{ key: 'a', value: '1' }], [{ key: 'x', value: '' }], [{ key: 'y', value: '' }]]

  test('the later content wins', () => {
    const after = { content: '2', bold: false }
    expect(twice('text', [{ content: '1', bold: false }, { content: '2' }])).toMatchObject(after)
  })
  test.each([
    ['rows, then append_rows both take effect', [{ rows: x }, { append_rows: y }], [...x, ...y]],
    ['of append_rows, then rows only the rows stay', [{ append_rows: x }, { rows: y }], y],
    ['append_rows twice appends both', [{ append_rows: x }, { append_rows: y }], [...before, ...x, ...y]],
  ])('in one PATCH, %s', (_, patches, rows) => {
    expect(twice('kv', patches)).toHaveProperty('rows', rows)
  })
})

test('new options without the current value need a new value in the same patch', () => {
  expect(patchedBlock('select', { options: ['a', 'c'] })).toMatchObject({ value: 'a' })
  expect(patchedBlock('select', { options: ['c'], value: 'c' })).toMatchObject({ value: 'c' })
  expect(patchedBlock('select', { options: ['c'], value: null })).toMatchObject({ value: null })
  expect(patchedBlock('multi', { options: ['a'], value: ['a'] })).toMatchObject({ value: ['a'] })
})

test('an old multiselect with repeated values can still be patched', () => {
  const old = card.blocks.map(one => (one.type === 'multiselect' ? { ...one, value: ['b', 'b', 'a'] } : one))
  const body = { blocks: [{ id: 'multi', patch: { hint: 'New' } }] }
  const { blocks } = patchCard({ ...card, blocks: old }, body, NOW).card
  expect(blocks.find(({ id }) => id === 'multi')).toMatchObject({ hint: 'New', value: ['b', 'a'] })
})

test('the original card object is not changed', () => {
  const before = structuredClone(card)
  patched({ status: 'error', blocks: [{ id: 'kv', patch: { append_rows: [{ key: 'x', value: '' }] } }] })
  expect(card).toStrictEqual(before)
})
