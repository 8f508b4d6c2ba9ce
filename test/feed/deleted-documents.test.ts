// The rows of a deleted document: nobody reads them, and they leave some at a time.
import { expect, test } from 'vitest'
import { readCards } from '../../server/feed/log/card-rows.ts'
import { deleteRowsOfDeletedDocuments } from '../../server/feed/log/deleted-documents.ts'
import { runDatabase } from '../support/running.ts'
import { createFeedRows, placeDocuments } from './scripted.ts'

const { sql } = await runDatabase()

async function createDocument(cards: number): Promise<string> {
  const { channel_id } = await createFeedRows(sql)
  await placeDocuments(sql)
  await sql`
    insert into cards (channel_id, id, position, status, blocks, created_at, updated_at)
    select ${channel_id}, gen_random_uuid(), position, 'default', '[]', now(), now()
    from generate_series(0, ${cards - 1}) as position`
  return channel_id
}

const countCards = async (channel_id: string) =>
  (await sql`select from cards where channel_id = ${channel_id}`).length

test('all rows leave, also if several instances delete them; other documents keep theirs', async () => {
  const [kept, deleted, also_deleted] = [
    await createDocument(3),
    await createDocument(1_200),
    await createDocument(1),
  ]
  await sql`delete from channels where id in (${deleted}, ${also_deleted})`
  expect(await countCards(deleted)).toBe(1_200)
  expect(await readCards(sql, deleted, 0, 10)).toEqual([])
  // An instance that finds the other one at work stops.
  await Promise.all([deleteRowsOfDeletedDocuments(sql), deleteRowsOfDeletedDocuments(sql)])
  expect([await countCards(kept), await countCards(deleted), await countCards(also_deleted)]).toEqual([
    3, 0, 0,
  ])
  expect(await sql`select from deleted_documents`).toHaveLength(0)
  expect(await readCards(sql, kept, 0, 10)).toHaveLength(3)
})
