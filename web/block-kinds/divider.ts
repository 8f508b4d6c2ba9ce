// A divider block in the card builder and in the log.
import type { BlockKindOf } from './block-kind.ts'

export const dividerKind: BlockKindOf<'divider'> = {
  name: 'Divider',
  about: 'A line between parts',
  icon: 'M2 8h12',
  example: () => ({ type: 'divider', id: 'divider' }),
  fields: {},
  entry: () => ({ line: true }),
}
