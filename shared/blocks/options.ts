// The options of a select or multiselect block.
import { z } from 'zod'
import { BLOCK_STRING_MAX, OPTIONS_MAX } from '../limits.ts'
import { requiredText } from '../text.ts'
import { content, label, listOf } from './fields.ts'

const storedOption = z.object({ value: content, label })
export type BlockOption = z.output<typeof storedOption>

/** A string is short for an option whose label is its value. */
const option = z
  .union(
    [requiredText(BLOCK_STRING_MAX), storedOption],
    'must be a string, or an object with value and label',
  )
  .transform(value => (typeof value === 'string' ? { value, label: value } : value))
  .pipe(storedOption)

export const options = listOf(option, OPTIONS_MAX)
