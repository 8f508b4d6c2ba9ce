// Opens pools of PostgreSQL connections. Values come back as: timestamps ISO 8601 strings, dates YYYY-MM-DD, bigint
// number, bytea Buffer, jsonb parsed. Arrays can be sent but not received. Text sent as json is taken as JSON.
//
// Lock order: transactions that lock rows in the same order can't deadlock.
//   users, workspaces, members, invites, documents, signing_keys, channels, rows of a channel (cards before interactions before
//   deliveries), idempotency_keys, daily_activity, webhook_queues, daily_usage;
// and within a table by primary key. daily_usage comes last because all channels of a user share it: only the checks
// that PostgreSQL makes at the end of a statement come after it. A lock that only prevents a deletion (`for key share`,
// foreign keys) conflicts only with the deletion. Sweeps skip locked rows.
import postgres from 'postgres'
import { readConnectionUrl } from './connection-url.js'
import { ReplaceablePool } from './replaceable-pool.ts'
import { codeOf, isDeadlock, isStaleStatement, isUnsafeTransaction } from './unavailable.ts'
import { valueTypes } from './value-types.js'

/** `pooled`: a pooler may give each transaction another session, so sessions can't keep anything. pooler.ts finds out. */
export type ConnectTarget = { url: string; pooled?: boolean } | { socket_dir: string; database?: string }

export type ConnectOptions = {
  /** Connections for single statements. They open when they are needed. */
  max?: number
  /** Connections for transactions; as many as `max` by default. */
  transactions_max?: number
  /** Statements are planned once, whatever their values. Only for an embedded database. */
  fixed_plans?: boolean
  /** How long a transaction waits for a lock before it fails; unlimited by default. */
  lock_ms?: number
  /** The same for all statements. Only for an embedded database. */
  session_lock_ms?: number
  /**
   * How long a statement may run before it fails; unlimited by default. Behind a pooler that shares sessions, only for
   * statements in transactions.
   */
  statement_ms?: number
}

type Work = (tx: Transaction) => unknown
const CUT_MAX_MS = 5_000
const TRIES = 3
const DEADLOCK_PAUSE_MS = 50
/** A pool with read-only sessions is replaced at this interval until the database accepts writes. */
const READ_ONLY_MS = 2_000
/** The database ends a session whose transaction waits longer for its next statement. */
const IDLE_IN_TRANSACTION_MS = 30_000
/** Poolers accept these parameters when a connection opens. Most refuse others. */
const SESSION = { application_name: 'channel-feed', DateStyle: 'ISO', TimeZone: 'UTC' }
export const STARTUP = { ...SESSION, idle_in_transaction_session_timeout: IDLE_IN_TRANSACTION_MS }

type Parameters = { timestamp: string; day: string; int8: number }
export type Sql = postgres.Sql<Parameters>
export type Transaction = postgres.TransactionSql<Parameters>
export type AnySql = Sql | Transaction

/**
 * Returns at once; the first query opens a connection.
 *
 * Transactions have a pool of their own. The driver (3.4.9) sends statements to a busy connection too, and if BEGIN is the
 * 101st that waits there, it forgets to reserve the connection: the transaction stays open, and later statements of
 * others end in it. In a pool for transactions, a connection is idle or reserved, so BEGIN is always the first.
 */
export function connect(target: ConnectTarget, options: ConnectOptions = {}): Sql {
  const { max = 10, transactions_max = max } = options
  const statements = new ReplaceablePool(onclose => open(target, { ...options, max }, onclose))
  const transactions = new ReplaceablePool(onclose =>
    open(target, { ...options, max: transactions_max }, onclose),
  )
  const own = {
    begin: createBegin(transactions, localSettings(target, options)),
    async end(ending?: { timeout?: number }): Promise<void> {
      await Promise.all([statements.end(ending), transactions.end(ending)])
    },
    /** With `fetch_types: false` the driver never resolves `reserve` for a connection that isn't open yet. */
    reserve(): never {
      throw new TypeError('use begin, or a pool with one connection')
    },
  }
  const sql = new Proxy(statements.current, {
    apply: (_, self, args) => Reflect.apply(statements.current, self, args),
    get: (_, name) => Reflect.get(Object.hasOwn(own, name) ? own : statements.current, name),
  })
  reconnections.set(sql, () => {
    statements.reconnect()
    transactions.reconnect()
  })
  return sql
}

const reconnections = new WeakMap<Sql, () => void>()

/** Opens all connections anew, because the open ones may lead to a database that was replaced. */
export function reconnect(sql: Sql): void {
  reconnections.get(sql)?.()
}

function open(
  target: ConnectTarget,
  { max, fixed_plans = false, session_lock_ms, statement_ms }: ConnectOptions,
  onclose: () => void,
): Sql {
  let replace: NodeJS.Timeout | undefined
  const common = {
    onclose: () => {
      clearTimeout(replace)
      onclose()
    },
    // A session that began on a read-only database stays read-only. `off` is ignored, because it says nothing about the
    // pool's other sessions or about the other parameter.
    onparameter: (name: string, value: string) => {
      const readOnly = name === 'default_transaction_read_only' || name === 'in_hot_standby'
      if (readOnly && value === 'on') replace ??= setTimeout(onclose, READ_ONLY_MS).unref()
    },
    max,
    // Closing a connection because of its age would look like a lost connection.
    max_lifetime: null,
    types: valueTypes,
    // The driver would query array types on each new connection, and an error of that query can't be caught.
    fetch_types: false,
    onnotice: () => {},
    // A restarted database is back within a second. The default would wait up to 20 s.
    backoff: (attempt: number) => (0.5 + Math.random() / 2) * Math.min(3 ** attempt / 100, 1),
  }
  const limits = statement_ms !== undefined && { statement_timeout: statement_ms }
  if ('url' in target) {
    const { connection, ...driver } = readConnectionUrl(target.url)
    const prepare = driver.prepare && !target.pooled
    const startup = target.pooled === false ? { ...STARTUP, ...limits } : SESSION
    return postgres({ ...common, ...driver, prepare, connection: { ...startup, ...connection } })
  }
  const { socket_dir, database = 'postgres' } = target
  const connection = {
    ...STARTUP,
    ...limits,
    ...(fixed_plans && { plan_cache_mode: 'force_generic_plan' }),
    ...(session_lock_ms && { lock_timeout: session_lock_ms }),
  }
  return postgres({ ...common, connection, host: socket_dir, port: 5432, user: 'app', database, ssl: false })
}

/** What each transaction sets for itself. */
function localSettings(
  target: ConnectTarget,
  { lock_ms, statement_ms }: ConnectOptions,
): Record<string, string> {
  // Poolers refuse these as startup parameters.
  const pooled = 'url' in target &&
    target.pooled && {
      idle_in_transaction_session_timeout: String(IDLE_IN_TRANSACTION_MS),
      ...(statement_ms !== undefined && { statement_timeout: String(statement_ms) }),
    }
  return { ...(lock_ms !== undefined && { lock_timeout: String(lock_ms) }), ...pooled }
}

/** A transaction sends nothing more after a cut, not even ROLLBACK: the server rolls back when the connection ends. */
function createBegin(pools: ReplaceablePool<Sql>, local: Record<string, string>) {
  const settings = Object.keys(local).length > 0 && JSON.stringify(local)

  /** `work` runs again if the database ends it because of a deadlock, or no longer knows a prepared statement. */
  return async function begin(...[first, second]: [string | Work, Work?]): Promise<unknown> {
    const [options, work] = typeof first === 'string' ? [first, second] : ['', first]
    for (let tries = 1; ; tries++) {
      const pool = pools.current
      try {
        return await beginOnce(pool, options, work)
      } catch (error) {
        // The transaction was left open.
        if (isUnsafeTransaction(error)) pools.cut(pool)
        const stale = isStaleStatement(error)
        if (tries === TRIES || !(stale || isDeadlock(error))) throw error
        // A column's type has changed: the other connections have old statements too.
        if (stale) pools.reconnect()
        // Without a pause it would take its first lock before the other transaction resumes, and deadlock again.
        else await new Promise(resolve => setTimeout(resolve, tries * DEADLOCK_PAUSE_MS))
      }
    }
  }

  function beginOnce(pool: Sql, options: string, work?: Work): Promise<unknown> {
    const check = () => {
      if (pools.isCut(pool))
        throw Object.assign(new Error('a connection of the pool was cut'), { code: 'CONNECTION_CLOSED' })
    }
    return pool.begin(options, async driver => {
      const tx = new Proxy(driver, {
        apply(target, self, args) {
          check()
          return Reflect.apply(target, self, args)
        },
      })
      try {
        // It costs no extra round trip.
        const set =
          settings &&
          tx`select set_config(key, value, true) from json_each_text(${settings}::text::json)`.execute()
        const [result] = await Promise.all([work?.(tx), set])
        check()
        return result
      } catch (error) {
        if (!isCut(error) && !pools.isCut(pool)) throw error
        // `begin` rejects by itself when the driver notices the close.
        return new Promise<never>((_, reject) => setTimeout(() => reject(error), CUT_MAX_MS).unref())
      }
    })
  }
}

const isCut = (error: unknown) => /^(CONNECTION_|57P0[12])/.test(codeOf(error))
