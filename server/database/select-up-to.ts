// Reads rows up to a number of bytes: rows may have hundreds of kilobytes, and a count alone wouldn't bound their memory.
import type { PendingQuery, Row } from 'postgres'
import type { AnySql } from './connect.ts'

type Fragment = PendingQuery<Row[]>

type Cut = { found: number; bytes_before: number | null }
/** They aren't columns of `rows`. */
const CUT_COLUMNS = ['found', 'bytes_before'] satisfies (keyof Cut)[]

/**
 * The rows of the query `rows`, in `order`. The row that reaches `max_bytes` is the last one; `bytes` are those of one row.
 * At most `limit` rows; `more` tells whether the query has others after them.
 */
export async function selectUpTo<T extends object>(
  sql: AnySql,
  rows: Fragment,
  { bytes, order, limit, max_bytes }: { bytes: Fragment; order: Fragment; limit: number; max_bytes: number },
): Promise<{ rows: T[]; more: boolean }> {
  const found = await sql<(T & Cut)[]>`
    select * from (
      select *, count(*) over ()::integer as found,
        sum(${bytes}) over (order by ${order} rows between unbounded preceding and 1 preceding) as bytes_before
      from (select * from (${rows}) rows order by ${order} limit ${limit + 1}) limited
    ) counted
    where coalesce(bytes_before, 0) < ${max_bytes} order by ${order} limit ${limit}`
  const more = (found[0]?.found ?? 0) > found.length
  for (const row of found) for (const column of CUT_COLUMNS) Reflect.deleteProperty(row, column)
  return { rows: found, more }
}
