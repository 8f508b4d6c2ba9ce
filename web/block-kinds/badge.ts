// A badge block in the card builder and in the log.
import type { BlockOf } from '../../shared/block.ts'
import type { BlockKindOf } from './block-kind.ts'
import { COMMON_FIELDS, choice } from './field-spec.ts'

const { label } = COMMON_FIELDS

export const badgeKind: BlockKindOf<'badge'> = {
  name: 'Badge',
  about: 'A short coloured word',
  icon: 'M4.5 5h7a3 3 0 0 1 0 6h-7a3 3 0 0 1 0-6ZM6 8h4',
  example: () => ({ type: 'badge', id: 'badge', label: 'Production', variant: 'info' }),
  fields: {
    label: { ...label, half: true },
    variant: choice<BlockOf<'badge'>['variant']>('Variant', {
      default: 'Default',
      success: 'Success',
      warning: 'Warning',
      error: 'Error',
      info: 'Info',
      pending: 'Pending',
    }),
  },
  entry: ({ label }) => ({ text: label }),
}
