// Deletes the rows of deleted documents some at a time, so that writers of other channels don't notice. Nobody can read
// these rows: cards are selected only if their document exists.
import { setTimeout as delay } from 'node:timers/promises'
import type { Sql, Transaction } from '../../database/connect.ts'

/** Few, because a write to another channel may wait for a whole batch. */
const ROWS_AT_ONCE = 20
/** After each batch, a pause of so many times its duration. */
const PAUSE_FACTOR = 50

/** Each table, and the column by which an index finds the rows of a document. */
const TABLES = [
  ['document_snapshots', 'epoch'],
  ['cards', 'position'],
  ['document_updates', 'epoch'],
  ['page_versions', 'page'],
] as const

/** Where the next batch of a table begins. From the start, the index would pass all rows that are gone. */
type Places = Map<string, number>

/** Whether there is something to delete, as a condition. */
export const anyDeletedDocument = (sql: Sql) => sql`exists (select from deleted_documents)`

export async function deleteRowsOfDeletedDocuments(sql: Sql): Promise<void> {
  const places: Places = new Map()
  for (;;) {
    const began = performance.now()
    if (!(await sql.begin(tx => deleteSomeRows(tx, places)))) return
    await delay((performance.now() - began) * PAUSE_FACTOR)
  }
}

/** Returns false if there is nothing to do, or another instance is doing it. */
async function deleteSomeRows(tx: Transaction, places: Places): Promise<boolean> {
  // What a crash undoes is deleted again, so no commit waits for the disk.
  const [document] = await tx<{ channel_id: string }[]>`
    select channel_id, set_config('synchronous_commit', 'off', true) from deleted_documents
    limit 1 for update skip locked`
  if (!document) return false
  const { channel_id } = document
  for (const [table, column] of TABLES) {
    const place = `${channel_id} ${table}`
    const [row] = await tx<{ deleted: number; last: number | null }[]>`
      with old as (
        select ctid, ${tx(column)} as place from ${tx(table)}
        where channel_id = ${channel_id} and ${tx(column)} >= ${places.get(place) ?? 0}
        order by ${tx(column)} limit ${ROWS_AT_ONCE}
      ), deleted as (delete from ${tx(table)} where ctid = any(array(select ctid from old)) returning 1)
      select (select count(*) from deleted) as deleted, (select max(place) from old) as last`
    if (row && row.last !== null) places.set(place, row.last)
    if (row?.deleted === ROWS_AT_ONCE) return true
  }
  await tx`delete from deleted_documents where channel_id = ${channel_id}`
  return true
}
