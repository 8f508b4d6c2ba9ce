// What people may choose in a multiselect block.
import { hasRepeats } from '../characters.ts'
import { Invalid } from '../invalid.ts'
import type { MultiselectBlock } from './multiselect.ts'
import type { ValueRules } from './value-rules.ts'

export const multiselectValue: ValueRules<MultiselectBlock> = {
  hasType: value => Array.isArray(value) && value.every(item => typeof item === 'string'),
  typeRule: 'must be an array of strings',
  check(block, value, path) {
    const options = new Set(block.options.map(option => option.value))
    if (!value.every(chosen => options.has(chosen)))
      throw new Invalid(path, 'must hold only values of the options')
    if (hasRepeats(value)) throw new Invalid([block.label ?? block.id], 'must not repeat a value')
  },
}
