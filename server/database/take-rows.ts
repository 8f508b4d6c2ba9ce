// Splits lists into parts. A query reads one row more than it returns, to know whether more rows follow.

/** `next`: the position of the last returned row if more rows follow, otherwise null. */
export function takeRows<T>(
  rows: T[],
  limit: number,
  positionOf: (row: T) => number,
): { rows: T[]; next: number | null } {
  const taken = rows.slice(0, limit)
  const last = taken.at(-1)
  return { rows: taken, next: last && rows.length > limit ? positionOf(last) : null }
}
