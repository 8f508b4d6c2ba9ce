// Lists that are read in parts: a query reads one row more than asked for, to know whether there are more.

/** The rows to return, and the position of the last one if there are more (otherwise null). */
export function takeRows<T>(
  rows: T[],
  limit: number,
  positionOf: (row: T) => number,
): { rows: T[]; next: number | null } {
  const taken = rows.slice(0, limit)
  const last = taken.at(-1)
  return { rows: taken, next: last && rows.length > limit ? positionOf(last) : null }
}
