// A digest of what a document shows: equal for two documents exactly if they show the same.
import { createHash } from 'node:crypto'
import * as Y from 'yjs'
import { canonical } from '../check/canonical.ts'

export function digestOf(doc: Y.Doc): string {
  const shown = { pages: doc.getMap('pages').toJSON(), channel: doc.getMap('channel').toJSON() }
  // The order of a Y.Map's entries depends on the order of its updates.
  return createHash('sha1').update(canonical(shown)).digest('base64')
}

/** The clock of each client in the document. The server writes each epoch with one client. */
export const clocksOf = (doc: Y.Doc): Record<string, number> =>
  Object.fromEntries(Y.decodeStateVector(Y.encodeStateVector(doc)))
