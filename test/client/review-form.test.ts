// The arguments of a review on its card: every leaf is there, and what comes back unchanged is what was sent.
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { enteredArguments, type ReviewForm, reviewForm } from '../../client/review-form.ts'
import { newBlock } from '../../shared/block.ts'
import { tooLongToShow } from '../../shared/shown-arguments.ts'
import { forAll } from '../support/for-all.ts'

/** The arguments that a reader of the card puts together. */
function readBack({ blocks, fields }: ReviewForm): Record<string, unknown> {
  const json = blocks.find(({ id }) => id === 'args')
  const others: object = json?.type === 'text' ? JSON.parse(json.content) : {}
  const own = fields.map(({ name, block, read }) => [name, read(block.value)] as const)
  return { ...others, ...Object.fromEntries(own) }
}

const valuesOf = ({ fields }: ReviewForm) =>
  Object.fromEntries(fields.map(({ block }) => [block.id ?? '', block.value]))

const name = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 10 }),
  fc.constantFrom('__proto__', 'constructor', ''),
)
const value = fc.oneof(
  fc.jsonValue({ stringUnit: 'binary', maxDepth: 2 }),
  fc.string(),
  fc.double({ noNaN: true, noDefaultInfinity: true }),
  fc.boolean(),
)
const anyArgs = fc
  .array(fc.tuple(name, value), { maxLength: 6 })
  .map((entries): Record<string, unknown> => JSON.parse(JSON.stringify(Object.fromEntries(entries))))

describe('random arguments', () => {
  test.each([{}, null])(
    'with the schema %j, every leaf is on the card, and the service takes the blocks',
    schema => {
      forAll(
        anyArgs.filter(args => tooLongToShow([JSON.stringify(args, null, 2)]) === null),
        args => {
          const form = reviewForm(args, schema)
          expect(readBack(form)).toEqual(args)
          expect(form.blocks.map(block => newBlock.parse(block).type)).toHaveLength(form.blocks.length)
          expect(enteredArguments(form, args, valuesOf(form))).toEqual({ args, changed: false })
        },
        1_000,
      )
    },
  )
})

describe('fields', () => {
  const fieldNames = (args: Record<string, unknown>, schema: object = {}) =>
    reviewForm(args, schema).fields.map(({ name }) => name)

  test.each([
    ['an empty name', ''],
    ['a blank name', ' '],
    ['a name with a line break', 'a\nb'],
    ['a name with an invisible character', 'a\u200b'],
    ['a name that is too long for an id', 'x'.repeat(97)],
  ])('%s has no input', (_, odd) => {
    expect(fieldNames({ [odd]: 'text', plain: 'text' })).toEqual(['plain'])
  })

  test.each([
    ['another type than the value', { enum: ['1', 'b'] }],
    ['not the value', { enum: [2, 3] }],
    ['values of two types', { enum: [1, '1'] }],
    ['too many values', { enum: Array.from({ length: 101 }, (_, index) => index) }],
    ['no list', { enum: 'a' }],
    ['nothing', {}],
  ])('an enum with %s is no list of options', (_, property) => {
    expect(reviewForm({ copies: 1 }, { properties: { copies: property } }).blocks).toMatchObject([
      { type: 'input', input_type: 'number' },
    ])
  })

  test('a text with line breaks gets several lines', () => {
    const { blocks } = reviewForm({ short: 'a', long: 'a\nb' }, {})
    expect(blocks).toMatchObject([{ multiline: false }, { multiline: true }])
  })

  test('a field that is undefined counts as missing', () => {
    expect(reviewForm({ a: undefined, b: { c: undefined } }, {}).blocks).toMatchObject([
      { id: 'args', content: '{\n  "b": {}\n}' },
    ])
  })

  test.each([
    ['a missing value', {}, 'on must be on or off, not null'],
    ['a value of another type', { 'arg:on': 'true' }, 'on must be on or off, not "true"'],
  ])('%s is a problem, never the value before', (_, values, problem) => {
    const args = { on: true }
    expect(enteredArguments(reviewForm(args, {}), args, values)).toEqual({ problem })
  })
})
