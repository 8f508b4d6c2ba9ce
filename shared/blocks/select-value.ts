// What people may choose in a select block.
import { Invalid } from '../invalid.ts'
import type { SelectBlock } from './select.ts'
import type { ValueRules } from './value-rules.ts'

export const selectValue: ValueRules<SelectBlock> = {
  hasType: value => value === null || typeof value === 'string',
  typeRule: 'must be a string or null',
  check({ options }, value, path) {
    if (value !== null && !options.some(option => option.value === value))
      throw new Invalid(path, 'must be one of the options')
  },
}
