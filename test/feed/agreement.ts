// Rows and document are written together, so they always agree.
import { expect } from 'vitest'
import * as Y from 'yjs'
import type { Sql } from '../../server/database/connect.ts'
import { readCards } from '../../server/feed/log/card-rows.ts'
import { readStoredDocument } from '../../server/feed/log/log.ts'
import { channelOf, oldestPageOf, readHead } from '../../shared/channel-doc.ts'
import { PAGE_SIZE } from '../../shared/limits.ts'
import { cardsOf } from '../support/viewer.ts'

/** Compares the stored document of a channel with its rows: cards, counts, clock, head. */
export async function expectRowsMatchDocument(sql: Sql, channel_id: string): Promise<void> {
  const stored = await readStoredDocument(sql, channel_id)
  if (!stored) throw new Error('there is no such document')
  const doc = new Y.Doc()
  doc.transact(() => {
    for (const update of stored.updates) Y.applyUpdate(doc, update)
  })
  expect([...Y.decodeStateVector(Y.encodeStateVector(doc))]).toEqual([[stored.client_id, stored.clock]])
  expect(doc.store.pendingStructs).toBeNull()

  const rows = await readCards(sql, channel_id, 0, stored.next_position)
  expect(stored.card_count).toBe(rows.length)
  const oldest = oldestPageOf(doc) * PAGE_SIZE
  expect(cardsOf(doc, channel_id)).toEqual(rows.filter(({ position }) => position >= oldest))
  expect(new Set(rows.map(({ position }) => position)).size).toBe(rows.length)

  const [channel] = await sql`select name, description, icon, mode from channels where id = ${channel_id}`
  expect(readHead(channelOf(doc))).toMatchObject({ ...channel })
  const actions = await sql<{ id: string }[]>`
    select id from header_actions where channel_id = ${channel_id} order by position, created_at, id`
  expect(readHead(channelOf(doc))?.actions.map(({ id }) => id)).toEqual(actions.map(({ id }) => id))
  expect(channelOf(doc).get('touched')).toBeInstanceOf(Y.Map)
  doc.destroy()
}
