// A card's fields as a form: what a click sends, and which errors prevent it. The rules only, without a browser.
import { createRoot } from 'solid-js'
import { expect, test } from 'vitest'
import type { Block } from '../../shared/block.ts'
import { block as blockSchema } from '../../shared/block.ts'
import type { FormBlock } from '../../shared/form-block.ts'
import { createCardForm } from '../../web/card/card-form.ts'
import { isPassword } from '../../web/data/drafts/drafts.ts'
import type { DraftValue } from '../../web/data/local-copy/drafts.ts'

function buildForm(given: object[], drafts: Record<string, DraftValue> = {}) {
  const blocks: Block[] = given.map(one => blockSchema.parse(one))
  const read = (_: string, blockId: string) => drafts[blockId]
  const isSecret = (_: string, block: FormBlock) => isPassword(block)
  return createRoot(() => createCardForm('card', () => blocks, { read, isSecret }))
}

const input = (id: string, fields: object = {}) => ({ type: 'input', id, label: id, ...fields })

test("a click sends drafts before the card's own values, and skips disabled fields", () => {
  const form = buildForm(
    [
      input('entered', { value: 'old' }),
      input('own', { value: 'own' }),
      input('locked', { value: 'x', disabled: true }),
      { type: 'select', id: 'none', label: 'None', options: ['a'] },
      { type: 'multiselect', id: 'many', options: ['a', 'b'] },
      { type: 'toggle', id: 'on', label: 'On' },
      { type: 'text', id: 'text', content: 'no field' },
    ],
    { entered: 'new', locked: 'y', many: ['b'], on: true },
  )
  expect(form.submit('Approve')).toEqual({
    values: { entered: 'new', own: 'own', none: null, many: ['b'], on: true },
    secret: false,
  })
})

test('a draft of another block type is ignored', () => {
  expect(buildForm([input('a', { value: 'own' })], { a: true }).submit('Approve')?.values).toEqual({
    a: 'own',
  })
})

test('every wrong field has an error', () => {
  const form = buildForm(
    [
      input('ticket', { required: true }),
      input('blank', { required: true }),
      input('mail', { input_type: 'email' }),
      input('short', { max_length: 3 }),
      { type: 'select', id: 'choice', label: 'Choice', options: ['a'], required: true },
      input('fine'),
    ],
    { blank: '  ', mail: 'nobody', short: 'long' },
  )
  expect(form.submit('Approve')).toBe(null)
  const ids = ['ticket', 'blank', 'mail', 'short', 'choice', 'fine']
  expect(ids.map(form.errorOf)).toEqual([
    'Fill this in, then choose Approve again',
    'Fill this in, then choose Approve again',
    'Must be an e-mail address',
    'Must be at most 3 characters',
    'Pick an option, then choose Approve again',
    undefined,
  ])
})

test("an automation's own invalid value is left out, and does not block the click", () => {
  const form = buildForm([input('count', { input_type: 'number', value: 'many' })])
  expect(form.submit('Approve')).toEqual({ values: {}, secret: false })
})

test('a password is sent with a click, not with a change of another field', () => {
  const form = buildForm([input('secret', { input_type: 'password' }), input('note')], { secret: 'hunter2' })
  expect(form.formValues('click')).toEqual({ values: { note: '', secret: 'hunter2' }, secret: true })
  expect(form.formValues('change')).toEqual({ values: { note: '' }, secret: false })
})

test('a change of one field leaves out invalid values of others', () => {
  const form = buildForm([input('mail', { input_type: 'email' }), input('note')], { mail: 'a@', note: 'n' })
  expect(form.formValues('change').values).toEqual({ note: 'n' })
})

test('if the own values are too long for a request, only drafts are sent', () => {
  const long = Array.from({ length: 15 }, (_, i) => input(`long${i}`, { value: 'x'.repeat(10_000) }))
  expect(buildForm([...long, input('note')], { note: 'n' }).submit('Approve')?.values).toEqual({ note: 'n' })
})
