// A text block in the card builder and in the log.
import type { BlockOf } from '../../shared/block.ts'
import type { BlockKindOf } from './block-kind.ts'
import { choice } from './field-spec.ts'

export const textKind: BlockKindOf<'text'> = {
  name: 'Text',
  about: 'A heading or a paragraph',
  icon: 'M3 4.5V3h10v1.5M8 3v10M6.25 13h3.5',
  example: () => ({ type: 'text', id: 'text', content: 'Backup finished', size: 'lg', bold: true }),
  fields: {
    content: { kind: 'lines', label: 'Content' },
    size: choice<BlockOf<'text'>['size']>('Size', {
      sm: 'Small',
      md: 'Medium',
      lg: 'Large',
      xl: 'Extra large',
    }),
    bold: { kind: 'flag', label: 'Bold' },
  },
  entry: ({ content }) => ({ text: content }),
}
