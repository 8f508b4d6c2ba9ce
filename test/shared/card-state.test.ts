// card_state of interactions, and the rules for values that viewers enter.
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type Block, block } from '../../shared/block.ts'
import { INPUT_TYPES } from '../../shared/blocks/input.ts'
import { cardState } from '../../shared/card-state.ts'
import { checkValue, isInput, missingField, type Value } from '../../shared/form-block.ts'
import { messageOf } from '../support/blocks.ts'
import { forAll } from '../support/for-all.ts'

const stored = (given: object): Block => block.parse({ id: 'x', ...given })

function input(given: object) {
  const made = stored(given)
  if (!isInput(made)) throw new Error('not an input')
  return made
}

const options = [{ value: 'eu', label: 'Europe' }, 'us']
const url = 'https://example.com/a.png'
const noValues = new Map<string, Value>()
const button = { id: 'b', label: 'Go', style: 'danger' }

describe('`card_state`', () => {
  test.each<[string, object, object, Value?]>([
    ['text', { content: 'Hi', size: 'lg', bold: true }, { content: 'Hi' }],
    ['badge', { label: 'Up', variant: 'success' }, { label: 'Up', variant: 'success' }],
    ['kv', { rows: [{ key: 'a', value: 'b' }] }, { rows: [{ key: 'a', value: 'b' }] }],
    ['button', { buttons: [{ ...button, disabled: true, confirm: '?' }] }, { buttons: [button] }],
    ['image', { url, alt: 'A' }, { url, alt: 'A' }],
    ['image', { url }, { url, alt: '' }],
    ['divider', {}, {}],
    ['input', { label: 'Name', value: 'Ann' }, { label: 'Name', value: 'Ann' }, 'Bob'],
    ['select', { label: 'Where', options }, { label: 'Where', value: null }, 'eu'],
    ['select', { label: 'Where', options, value: 'us' }, { label: 'Where', value: 'us' }, null],
    ['multiselect', { options, value: ['us'] }, { value: ['us'] }, []],
    ['multiselect', { label: 'Where', options }, { value: [] }, ['eu']],
    ['toggle', { label: 'On', value: true }, { label: 'On', value: true }, false],
  ])('`card_state` of a %s %j is %j, with the value of the viewer', (type, given, expected, value) => {
    const one = stored({ type, ...given })
    const entry = { id: 'x', type, ...expected }
    const values = value === undefined ? noValues : new Map([['x', value]])
    expect(cardState([one], noValues)).toStrictEqual([entry])
    expect(Object.keys(cardState([one], noValues)[0] ?? {})).toEqual(Object.keys(entry))
    expect(cardState([one], values)).toStrictEqual([{ ...entry, ...(value !== undefined && { value }) }])
  })

  test('`card_state` has an entry per block, in the order of the card', () => {
    const blocks = ['c', 'a', 'b'].map(id => stored({ type: 'divider', id }))
    expect(cardState(blocks, noValues).map(({ id }) => id)).toEqual(['c', 'a', 'b'])
  })
})

describe('the value of a block', () => {
  test.each<[object, unknown, string]>([
    [{ type: 'toggle', label: 'On' }, 'true', 'must be a boolean'],
    [{ type: 'toggle', label: 'On' }, null, 'must be a boolean'],
    [{ type: 'select', label: 'Where', options }, 1, 'must be a string or null'],
    [{ type: 'select', label: 'Where', options }, ['eu'], 'must be a string or null'],
    [{ type: 'select', label: 'Where', options }, 'Europe', 'must be one of the options'],
    [{ type: 'select', label: 'Where', options }, '', 'must be one of the options'],
    [{ type: 'multiselect', options }, 'eu', 'must be an array of strings'],
    [{ type: 'multiselect', options }, null, 'must be an array of strings'],
    [{ type: 'multiselect', options }, [1], 'must be an array of strings'],
    [{ type: 'multiselect', options }, ['eu', 'asia'], 'must hold only values of the options'],
    [{ type: 'input', label: 'Name' }, 7, 'must be a string'],
    [{ type: 'input', label: 'Name' }, null, 'must be a string'],
    [{ type: 'input', label: 'Name', max_length: 3 }, 'four', 'must be at most 3 characters'],
    [{ type: 'input', label: 'Name' }, 'x'.repeat(10_001), 'must be at most 10000 characters'],
    [{ type: 'input', label: 'Name', disabled: true }, 'x', 'is disabled'],
    [{ type: 'toggle', label: 'On', disabled: true }, true, 'is disabled'],
    [{ type: 'select', label: 'Where', options, disabled: true }, 'eu', 'is disabled'],
    [{ type: 'multiselect', options, disabled: true }, [], 'is disabled'],
    [{ type: 'multiselect', options }, ['asia', 'asia'], 'must hold only values of the options'],
  ])('the block %j refuses the value %j', (given, value, rule) => {
    expect(messageOf(() => checkValue(input(given), value, ['values', 'x']))).toBe(`values.x ${rule}`)
  })

  test('the value of a multiselect may not repeat: the error has its label or id', () => {
    const error = (given: object) =>
      messageOf(() => checkValue(input(given), ['us', 'eu', 'us'], ['values', 'x']))
    expect(error({ type: 'multiselect', label: 'Where', options })).toBe('Where must not repeat a value')
    expect(error({ type: 'multiselect', options })).toBe('x must not repeat a value')
  })

  test.each<[object, Value]>([
    [{ type: 'toggle', label: 'On' }, true],
    [{ type: 'select', label: 'Where', options }, 'eu'],
    [{ type: 'select', label: 'Where', options, required: true }, null],
    [{ type: 'multiselect', options }, []],
    [{ type: 'multiselect', options }, ['us', 'eu']],
    [{ type: 'input', label: 'Name', required: true }, ''],
    [{ type: 'input', label: 'Name', max_length: 2 }, '👩‍🚀'.slice(0, 2)],
    [{ type: 'input', label: 'Name', max_length: 3 }, '😀😀😀'],
  ])('the block %j accepts the value %j', (given, value) => {
    expect(checkValue(input(given), value, [])).toStrictEqual(value)
  })

  const forms: Record<(typeof INPUT_TYPES)[number], { taken: string[]; rejected: string[]; rule: string }> = {
    text: { taken: ['anything', ' '], rejected: [], rule: '' },
    password: { taken: ['hunter2'], rejected: [], rule: '' },
    number: {
      taken: ['0', '-1.5', '+3', '.5', '5.', '1e3', '1E-3'],
      rejected: ['one', '1,5', '0x10', 'Infinity', 'NaN', ' 1', '1 2', '.', 'e3', '--1'],
      rule: 'must be a number',
    },
    email: {
      taken: ['ann@example.com', 'a+b@mail.example.co'],
      rejected: ['ann', 'ann@', '@example.com', 'ann@example', 'a b@example.com', 'a@b@example.com'],
      rule: 'must be an e-mail address',
    },
    url: {
      taken: ['https://example.com', 'HTTP://example.com/a?b#c', 'http://[::1]:8080/'],
      rejected: [
        'example.com',
        'ftp://example.com',
        'javascript:alert(1)',
        'http://',
        'https://exa mple.com',
      ],
      rule: 'must be an http or https URL',
    },
    date: {
      taken: ['2026-02-28', '2024-02-29', '0001-01-01'],
      rejected: ['2026-02-29', '2026-04-31', '2026-13-01', '2026-1-1', '28.02.2026', '2026-02-28T00:00'],
      rule: 'must be a date (YYYY-MM-DD)',
    },
    time: {
      taken: ['00:00', '23:59', '12:30:15', '12:30:15.250'],
      rejected: ['24:00', '12:60', '1:30', '12', '12:30:60', 'noon'],
      rule: 'must be a time (HH:MM)',
    },
  }

  test.each(INPUT_TYPES)('the value of input_type %s has its format or is empty', input_type => {
    const field = input({ type: 'input', label: 'Field', input_type })
    const { taken, rejected, rule } = forms[input_type]
    for (const value of ['', ...taken]) expect(checkValue(field, value, ['values', 'x'])).toBe(value)
    for (const value of rejected)
      expect([value, messageOf(() => checkValue(field, value, ['values', 'x']))]).toEqual([
        value,
        `values.x ${rule}`,
      ])
  })
})

test('isEmail accepts the same as the quadratic expression it replaced', () => {
  const field = input({ type: 'input', label: 'Field', input_type: 'email' })
  const characters = fc.constantFrom('a', 'b', '.', '@', ' ', '\n', '\u00A0', '\uFEFF', '😀', '-')
  const check = (value: string) => {
    const taken = messageOf(() => checkValue(field, value, [])) === null
    expect(taken).toBe(/^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(value))
  }
  forAll(fc.string({ unit: characters, minLength: 1, maxLength: 9 }), check, 20_000)
})

describe('a required field', () => {
  const required = (given: object) => stored({ required: true, ...given })

  test.each<[object, string | null, Value | undefined]>([
    [{ type: 'input', label: 'Name' }, 'Name', undefined],
    [{ type: 'input', label: 'Name' }, 'Name', ''],
    [{ type: 'input', label: 'Name' }, 'Name', ' \n'],
    [{ type: 'input', label: 'Name' }, null, 'Ann'],
    [{ type: 'input', label: 'Name', value: 'Ann' }, null, undefined],
    [{ type: 'input', label: 'Name', value: 'Ann' }, 'Name', ''],
    [{ type: 'select', label: 'Where', options }, 'Where', undefined],
    [{ type: 'select', label: 'Where', options, value: 'eu' }, 'Where', null],
    [{ type: 'select', label: 'Where', options }, null, 'us'],
    [{ type: 'multiselect', label: 'Teams', options }, 'Teams', []],
    [{ type: 'multiselect', options }, 'x', undefined],
    [{ type: 'multiselect', options }, null, ['eu']],
    [{ type: 'input', label: 'Name', disabled: true }, null, undefined],
    [{ type: 'input', label: 'Name', required: false }, null, undefined],
    [{ type: 'toggle', label: 'On' }, null, undefined],
  ])('the required field %j reports that it is missing: %j', (given, missing, value) => {
    const values = value === undefined ? noValues : new Map([['x', value]])
    expect(missingField([required(given)], values)).toBe(missing)
  })
})
