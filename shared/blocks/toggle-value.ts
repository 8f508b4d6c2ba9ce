// How people may set a toggle block.
import type { ToggleBlock } from './toggle.ts'
import type { ValueRules } from './value-rules.ts'

export const toggleValue: ValueRules<ToggleBlock> = {
  hasType: value => typeof value === 'boolean',
  typeRule: 'must be a boolean',
}
