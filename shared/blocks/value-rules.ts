// What the rules of a field are: the values that people may enter into a block. Free of zod, because the channel page loads it.
import type { Path } from '../invalid.ts'

export type ValueRules<B extends { value: unknown }> = {
  hasType: (value: unknown) => value is B['value']
  /** What is wrong with a value of another type. */
  typeRule: string
  /** Throws `Invalid` for `path` if the value breaks a rule. It may be empty. */
  check?: (block: B, value: B['value'], path: Path) => void
  /** Whether values of the block must not be shown or signed. */
  isSecret?: (block: B) => boolean
}
