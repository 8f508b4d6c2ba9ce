// The rows of a kv block.
import { z } from 'zod'
import { KV_ROWS_MAX } from '../limits.ts'
import { content } from './fields.ts'

export const kvRow = z.object({ key: content, value: content })
export type KvRow = z.output<typeof kvRow>

export const kvRows = z.array(kvRow).max(KV_ROWS_MAX, `must have at most ${KV_ROWS_MAX} items`)
