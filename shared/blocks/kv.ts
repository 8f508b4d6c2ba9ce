// A kv block: rows of a key and a value. A PATCH replaces them or appends some.
import { z } from 'zod'
import { Invalid, parse } from '../invalid.ts'
import { KV_ROWS_MAX } from '../limits.ts'
import type { BlockDefinition } from './definition.ts'
import { id } from './fields.ts'
import { kvRows } from './rows.ts'

const schema = z.object({ type: z.literal('kv'), id, rows: kvRows })

export const kvBlock = {
  schema,
  sent: schema,
  patch: z
    .strictObject({
      rows: kvRows.optional().describe('Replaces all rows.'),
      append_rows: kvRows.optional().describe('Rows to add after the existing ones.'),
    })
    .meta({ not: { required: ['rows', 'append_rows'] } }),
  state: schema,
  title: [
    ['rows', '0', 'key'],
    ['rows', '0', 'value'],
  ],
  change(current, patch, place) {
    const path = [...place.at, 'patch']
    if ('rows' in patch && 'append_rows' in patch) {
      throw new Invalid([...path, 'append_rows'], 'cannot be used together with rows')
    }
    if ('rows' in patch) {
      return { block: { ...current, rows: parse(kvRows, patch.rows, [...path, 'rows']) }, appended: null }
    }
    if (!('append_rows' in patch)) return { block: current, appended: [] }
    const appended = parse(kvRows, patch.append_rows, [...path, 'append_rows'])
    const rows = [...current.rows, ...appended]
    if (rows.length > KV_ROWS_MAX) {
      throw new Invalid([...path, 'append_rows'], `must leave at most ${KV_ROWS_MAX} rows`)
    }
    return { block: { ...current, rows }, appended }
  },
} satisfies BlockDefinition<z.output<typeof schema>>
