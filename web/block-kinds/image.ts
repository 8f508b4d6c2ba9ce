// An image block in the card builder and in the log.
import type { BlockKindOf } from './block-kind.ts'

export const imageKind: BlockKindOf<'image'> = {
  name: 'Image',
  about: 'A chart or a screenshot',
  icon: 'M4 2.5h8a2 2 0 0 1 2 2v7a2 2 0 0 1-2 2H4a2 2 0 0 1-2-2v-7a2 2 0 0 1 2-2ZM4.75 6.25a1 1 0 1 1 2 0 1 1 0 1 1-2 0ZM2.5 12l3.6-3.4 2.4 2.2L11 8l3 3',
  example: origin => ({ type: 'image', id: 'image', url: `${origin}/example.svg`, alt: 'Orders by hour' }),
  fields: {
    url: { kind: 'line', label: 'URL' },
    alt: {
      kind: 'line',
      label: 'Alt text',
      hint: 'Describes the image to people who can’t see it',
      optional: true,
    },
  },
  entry: ({ alt, url }) => ({ note: `Image: ${alt || url}` }),
}
