// Deletes the rows of deleted documents some at a time, so that writers of other channels don't notice. Nobody can read
// these rows: cards are selected only if their document exists.
import { setTimeout as delay } from 'node:timers/promises'
import type { Sql, Transaction } from '../database/connect.ts'

const ROWS_AT_ONCE = 500
/** After each batch, a pause of so many times its duration. */
const PAUSE_FACTOR = 4

/** Each table, and the column by which an index finds the rows of a document: the rows that are left come first. */
const TABLES = [
  ['document_snapshots', 'channel_id'],
  ['cards', 'position'],
  ['document_updates', 'epoch'],
  ['page_versions', 'page'],
] as const

export async function deleteRowsOfDeletedDocuments(sql: Sql): Promise<void> {
  for (;;) {
    const began = performance.now()
    if (!(await sql.begin(deleteSomeRows))) return
    await delay((performance.now() - began) * PAUSE_FACTOR)
  }
}

/** Returns false if there is nothing to do, or another instance is doing it. */
async function deleteSomeRows(tx: Transaction): Promise<boolean> {
  const [document] = await tx<{ channel_id: string }[]>`
    select channel_id from deleted_documents limit 1 for update skip locked`
  if (!document) return false
  for (const [table, column] of TABLES) {
    const { count } = await tx`
      delete from ${tx(table)} where ctid = any(array(
        select ctid from ${tx(table)} where channel_id = ${document.channel_id}
        order by ${tx(column)} limit ${ROWS_AT_ONCE}))`
    if (count === ROWS_AT_ONCE) return true
  }
  await tx`delete from deleted_documents where channel_id = ${document.channel_id}`
  return true
}
