// What the file of a block type defines, and how a PATCH changes a block.
import type { z } from 'zod'
import { Invalid, type Path, parse } from '../invalid.ts'
import { withoutCleared } from './fields.ts'
import type { KvRow } from './rows.ts'

/** `B` is the stored block. */
export type BlockDefinition<B> = {
  /** Its input may leave out what has a default; its output is what is stored. */
  schema: z.ZodType<B> & { shape: z.ZodRawShape }
  /** As requests send it. */
  sent: z.ZodType
  /** The fields that a PATCH may change. */
  patch: z.ZodObject
  /** The block's entry in the `card_state` of an interaction. */
  state: z.ZodObject
  /** The fields of the entry that differ from the block's own. */
  derived?: (block: B) => object
  /** What lists of channels show of it: fields of the block, joined by a colon. */
  title: string[][]
  /** Applies a patch that has only fields of `patch`. Throws `Invalid`. */
  change: (current: B, patch: Record<string, unknown>, place: PatchPlace) => BlockChange<B>
}

/** `appended`: the new rows, if nothing else changed, so that the document writes only those. */
export type BlockChange<B> = { block: B; appended: KvRow[] | null }

/** `at`: the block in the request, such as `['blocks', 2]`. `buttonIds`: of all buttons of the card; new buttons add theirs. */
export type PatchPlace = { at: Path; buttonIds: Set<string> }

/** The patched block is checked like a new one. */
export function replaceFields<B extends object>(schema: z.ZodType<B>): BlockDefinition<B>['change'] {
  return (current, patch, { at }) => {
    const block = parse(schema, { ...current, ...patch }, [...at, 'patch'])
    return { block: withoutCleared(block), appended: null }
  }
}

/** Throws `Invalid` for the first field that `patch` doesn't allow. `owner` names what has the fields. */
export function onlyFields(fields: object, patch: z.ZodObject, path: Path, owner: string): void {
  const foreign = Object.keys(fields).find(field => !Object.hasOwn(patch.shape, field))
  if (foreign !== undefined)
    throw new Invalid([...path, foreign], `is not a field of ${owner} that can be patched`)
}
