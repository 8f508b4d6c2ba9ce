// Classifies database errors by the driver's code or SQLSTATE. connect.ts also decides by code when to replace its pool.

/**
 * The connection broke or was refused: the outcome of the last statement is unknown. UNSAFE_TRANSACTION: the driver has
 * lost track of a connection's transaction, so the connection is cut.
 */
const CONNECTION_LOSS =
  /^(CONNECTION_|CONNECT_TIMEOUT|UNSAFE_TRANSACTION|ECONN|ENOENT|ENOTFOUND|EAI_AGAIN|EPIPE|ETIMEDOUT|EHOSTUNREACH|ENETUNREACH|08|57P0|53300)/

/**
 * The server can't do the work now: read-only (25006), a transaction that idled or took too long (25P03, 25P04), refused
 * connections (28, 3D000, 55000), deadlocks and conflicts after all retries (40), no space, memory or other resource (53),
 * locked rows (55P03), a cancelled statement (57014), an I/O error (58). Each of these rolls the transaction back.
 */
const REFUSED = /^(25006|25P03|25P04|28...|3D000|40001|40P01|53...|55000|55P03|57014|58...)$/

export function isConnectionLoss(error: unknown): boolean {
  return CONNECTION_LOSS.test(codeOf(error))
}

/** The same request may succeed later: the response is 503. */
export function isUnavailable(error: unknown): boolean {
  const code = codeOf(error)
  return CONNECTION_LOSS.test(code) || REFUSED.test(code)
}

export const isLockTimeout = (error: unknown) => codeOf(error) === '55P03'

export const isDeadlock = (error: unknown) => codeOf(error) === '40P01'

export const isUnsafeTransaction = (error: unknown) => codeOf(error) === 'UNSAFE_TRANSACTION'

/** PostgreSQL's functions that find a prepared statement missing, or made for a column that has another type now. */
const STALE_ROUTINE = /^(FetchPreparedStatement|RevalidateCachedQuery|transformAssignedExpr)$/

export const isStaleStatement = (error: unknown) =>
  error instanceof Error && 'routine' in error && STALE_ROUTINE.test(String(error.routine))

/** The driver's code or the SQLSTATE; empty if the error has none. */
export function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : ''
}

/** The database or the connection to it failed, rather than our code. */
export const isDatabaseFailure = (error: unknown) =>
  isConnectionLoss(error) || /^[0-9A-Z]{5}$/.test(codeOf(error))
