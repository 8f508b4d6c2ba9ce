// Random stored cards with every block type, and random edits of them.
import fc from 'fast-check'
import { type Block, block } from '../../../shared/block.ts'
import { BADGE_VARIANTS } from '../../../shared/blocks/badge.ts'
import { BUTTON_STYLES } from '../../../shared/blocks/button.ts'
import { INPUT_TYPES } from '../../../shared/blocks/input.ts'
import { TEXT_SIZES } from '../../../shared/blocks/text.ts'
import { CARD_STATUSES } from '../../../shared/limits.ts'
import type { CardContent } from '../../../web/builder/strip-defaults.ts'

const words = fc.string({ unit: 'grapheme', maxLength: 12 })
const label = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 12 })
const maybe = <T>(some: fc.Arbitrary<T>) => fc.option(some, { nil: undefined })
const rows = fc.array(fc.record({ key: words, value: words }), { maxLength: 5 })

const common = {
  placeholder: maybe(words),
  hint: maybe(words),
  required: fc.boolean(),
  disabled: fc.boolean(),
  send_on_change: fc.boolean(),
}

const buttonFields = {
  label,
  style: fc.constantFrom(...BUTTON_STYLES),
  disabled: fc.boolean(),
  confirm: maybe(words),
}

const options = fc.uniqueArray(label, { minLength: 1, maxLength: 4 })

/** All fields but `type` and `id`. Button ids derive from the block's. */
const FIELDS: { [T in Block['type']]: (id: string) => fc.Arbitrary<object> } = {
  text: () => fc.record({ content: words, size: fc.constantFrom(...TEXT_SIZES), bold: fc.boolean() }),
  badge: () => fc.record({ label, variant: fc.constantFrom(...BADGE_VARIANTS) }),
  kv: () => fc.record({ rows }),
  button: id =>
    fc
      .array(fc.record(buttonFields), { minLength: 1, maxLength: 3 })
      .map(list => ({ buttons: list.map((button, i) => ({ ...button, id: `${id}.${i}` })) })),
  image: () => fc.record({ url: fc.webUrl(), alt: maybe(words) }),
  divider: () => fc.constant({}),
  input: () =>
    fc.record({
      label,
      value: words,
      input_type: fc.constantFrom(...INPUT_TYPES),
      multiline: fc.boolean(),
      max_length: maybe(fc.integer({ min: 1, max: 10_000 })),
      ...common,
    }),
  select: () =>
    options.chain(list =>
      fc.record({ label, options: fc.constant(list), value: fc.constantFrom(null, ...list), ...common }),
    ),
  multiselect: () =>
    options.chain(list =>
      fc.record({ label: maybe(label), options: fc.constant(list), value: fc.subarray(list), ...common }),
    ),
  toggle: () => {
    const { required: _, placeholder: __, ...rest } = common
    return fc.record({ label, value: fc.boolean(), ...rest })
  },
}

const types = Object.keys(FIELDS).filter((type): type is Block['type'] => type in FIELDS)

const blockOf = (type: Block['type'], id: string): fc.Arbitrary<Block> =>
  FIELDS[type](id).map(fields => block.parse({ type, id, ...fields }))

const status = fc.constantFrom(...CARD_STATUSES)

export const cards: fc.Arbitrary<CardContent> = fc
  .array(fc.constantFrom(...types), { minLength: 1, maxLength: 6 })
  .chain(list =>
    fc.record({ status, blocks: fc.tuple(...list.map((type, i) => blockOf(type, `${type}-${i}`))) }),
  )

/** A card with edited fields. Blocks keep their type and index. */
export const edits: fc.Arbitrary<{ before: CardContent; after: CardContent }> = cards.chain(before =>
  fc.record({
    before: fc.constant(before),
    after: fc.record({ status, blocks: fc.tuple(...before.blocks.map(edited)) }),
  }),
)

function edited(before: Block): fc.Arbitrary<Block> {
  const anew = blockOf(before.type, before.id)
  if (before.type === 'kv') {
    const grown = rows.map((more): Block => ({ ...before, rows: [...before.rows, ...more] }))
    return fc.oneof(fc.constant(before), anew, grown)
  }
  return fc.oneof(fc.constant(before), anew)
}
