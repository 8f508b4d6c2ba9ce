// A digest of what a document shows: equal for two documents exactly if they show the same.
import { createHash } from 'node:crypto'
import * as Y from 'yjs'

export function digestOf(doc: Y.Doc): string {
  const shown = { pages: doc.getMap('pages').toJSON(), channel: doc.getMap('channel').toJSON() }
  return createHash('sha1').update(canonical(shown)).digest('base64')
}

/** JSON with sorted keys, because the order of a Y.Map's entries depends on the order of its updates. */
function canonical(value: unknown): string {
  return JSON.stringify(value, (_, inner: unknown) => {
    if (typeof inner !== 'object' || inner === null || Array.isArray(inner)) return inner
    return Object.fromEntries(Object.entries(inner).sort(([a], [b]) => (a < b ? -1 : 1)))
  })
}

/** The clock of each client in the document. The server writes each epoch with one client. */
export const clocksOf = (doc: Y.Doc): Record<string, number> =>
  Object.fromEntries(Y.decodeStateVector(Y.encodeStateVector(doc)))
