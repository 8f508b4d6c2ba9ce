// Arbitrary values and blocks, for tests of the document's bytes.
import fc from 'fast-check'
import type { BlockOf, BlockType } from '../../shared/block.ts'
import { BADGE_VARIANTS } from '../../shared/blocks/badge.ts'
import { BUTTON_STYLES } from '../../shared/blocks/button.ts'
import { INPUT_TYPES } from '../../shared/blocks/input.ts'
import { TEXT_SIZES } from '../../shared/blocks/text.ts'

/** All that a JavaScript string can contain, even what the API refuses: NUL and lone surrogates. */
export const text = fc.oneof(
  { weight: 4, arbitrary: fc.string({ unit: 'binary' }) },
  { weight: 1, arbitrary: fc.array(fc.nat(0xffff)).map(units => String.fromCharCode(...units)) },
  // Around the lengths at which the writer or the format changes its way.
  {
    weight: 1,
    arbitrary: fc
      .tuple(
        fc.constantFrom('x', 'é', '漢', '👩‍👩‍👧'),
        fc.constantFrom(0, 16, 43, 47, 48, 49, 64, 127, 128, 700),
      )
      .map(([unit, times]) => unit.repeat(times)),
  },
)

const number = fc.oneof(
  fc.integer(),
  fc.maxSafeInteger(),
  fc.float(),
  fc.double(),
  fc.constantFrom(0, -0, 63, 64, -64, 2 ** 31 - 1, 2 ** 31, -(2 ** 31), 2 ** 31 + 1, 2 ** 53, 0.1, 1.5),
)

/** All that a document can contain: JSON, and undefined. */
export const value: fc.Arbitrary<unknown> = fc.letrec(tie => ({
  value: fc.oneof(
    { depthSize: 'small' },
    fc.oneof(text, number, fc.boolean(), fc.constantFrom(null, undefined)),
    fc.array(tie('value'), { maxLength: 4 }),
    fc.dictionary(text, tie('value'), { maxKeys: 4 }),
  ),
})).value

const typed = <T extends BlockType>(type: T) => ({ type: fc.constant(type), id: fc.uuid() })
const flags = { disabled: fc.boolean(), send_on_change: fc.boolean() }
const options = fc.array(fc.record({ value: text, label: text }), { maxLength: 3 })
const optional = { placeholder: text, hint: text }
const button = fc.record(
  {
    id: fc.uuid(),
    label: text,
    style: fc.constantFrom(...BUTTON_STYLES),
    disabled: fc.boolean(),
    confirm: text,
  },
  { requiredKeys: ['id', 'label', 'style', 'disabled'] },
)

const blocks: { [T in BlockType]: fc.Arbitrary<BlockOf<T>> } = {
  text: fc.record({
    ...typed('text'),
    content: text,
    size: fc.constantFrom(...TEXT_SIZES),
    bold: fc.boolean(),
  }),
  badge: fc.record({ ...typed('badge'), label: text, variant: fc.constantFrom(...BADGE_VARIANTS) }),
  kv: fc.record({ ...typed('kv'), rows: fc.array(fc.record({ key: text, value: text }), { maxLength: 5 }) }),
  button: fc.record({ ...typed('button'), buttons: fc.array(button, { maxLength: 3 }) }),
  image: fc.record({ ...typed('image'), url: text, alt: text }, { requiredKeys: ['type', 'id', 'url'] }),
  divider: fc.record(typed('divider')),
  input: fc.record(
    {
      ...typed('input'),
      ...flags,
      ...optional,
      label: text,
      value: text,
      required: fc.boolean(),
      multiline: fc.boolean(),
      max_length: number,
      input_type: fc.constantFrom(...INPUT_TYPES),
    },
    {
      requiredKeys: [
        'type',
        'id',
        'label',
        'value',
        'input_type',
        'required',
        'multiline',
        'disabled',
        'send_on_change',
      ],
    },
  ),
  select: fc.record(
    {
      ...typed('select'),
      ...flags,
      ...optional,
      label: text,
      options,
      value: fc.option(text),
      required: fc.boolean(),
    },
    { requiredKeys: ['type', 'id', 'label', 'options', 'value', 'required', 'disabled', 'send_on_change'] },
  ),
  multiselect: fc.record(
    {
      ...typed('multiselect'),
      ...flags,
      ...optional,
      label: text,
      options,
      value: fc.array(text, { maxLength: 3 }),
      required: fc.boolean(),
    },
    { requiredKeys: ['type', 'id', 'options', 'value', 'required', 'disabled', 'send_on_change'] },
  ),
  toggle: fc.record(
    { ...typed('toggle'), ...flags, label: text, value: fc.boolean(), hint: text },
    { requiredKeys: ['type', 'id', 'label', 'value', 'disabled', 'send_on_change'] },
  ),
}

/** A block of any type. Yjs refuses objects without a prototype, such as fast-check makes; copies have one. */
export const block = fc.oneof(...Object.values(blocks)).map(block => structuredClone(block))
