// A kv block in the card builder and in the log.
import type { BlockKindOf } from './block-kind.ts'

export const kvKind: BlockKindOf<'kv'> = {
  name: 'Key and value rows',
  about: 'Facts, or a growing log',
  icon: 'M2.5 4.5h3M8 4.5h5.5M2.5 8h3M8 8h5.5M2.5 11.5h3M8 11.5h5.5',
  example: () => ({
    type: 'kv',
    id: 'facts',
    rows: [
      { key: 'Duration', value: '4 min 12 s' },
      { key: 'Size', value: '18.2 GB' },
    ],
  }),
  fields: { rows: { kind: 'rows', label: 'Rows' } },
  list: { field: 'rows', name: 'key' },
  entry: ({ rows }) => ({ pairs: rows.map(({ key, value }) => [key, value]) }),
}
