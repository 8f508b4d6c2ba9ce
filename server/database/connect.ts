// Opens pools of PostgreSQL connections. Values come back as: timestamps ISO 8601 strings, dates YYYY-MM-DD, bigint
// number, bytea Buffer, jsonb parsed. Arrays can be sent but not received.
//
// Lock order: transactions that lock rows in the same order can't deadlock.
//   users, workspaces, documents, channels, rows of a channel (cards before interactions before deliveries),
//   idempotency_keys, daily_activity, webhook_queues, daily_usage;
// and within a table by primary key. daily_usage comes last because all channels of a user share it: only the checks
// that PostgreSQL makes at the end of a statement come after it. A lock that only prevents a deletion (`for key share`,
// foreign keys) conflicts only with the deletion. Sweeps skip locked rows.
import postgres from 'postgres'
import { readConnectionUrl } from './connection-url.js'
import { codeOf, isDeadlock } from './unavailable.ts'

export type ConnectTarget = { url: string } | { socket_dir: string; database?: string }
export type ConnectOptions = {
  max?: number
  /** Statements are planned once, whatever their values. Only for an embedded database. */
  fixed_plans?: boolean
  /** How long a transaction waits for a lock before it fails; unlimited by default. */
  lock_ms?: number
  /** The same for all statements. Only for an embedded database. */
  session_lock_ms?: number
}

const types = {
  timestamp: { to: 1184, from: [1184], serialize: instant, parse: isoTimestamp },
  day: { to: 1082, from: [1082], serialize: (value: string) => value, parse: (text: string) => text },
  int8: { to: 20, from: [20], serialize: (value: number | bigint) => String(value), parse: safeInteger },
  // One-dimensional arrays of strings.
  texts: arrayOf(1009),
  uuids: arrayOf(2951),
  timestamps: arrayOf(1185),
}

type Work = (tx: Transaction) => unknown
/** Time for the remaining queries of a pool that was replaced. */
const OLD_POOL_S = 1
const CUT_MAX_MS = 5_000
const DEADLOCK_TRIES = 3
const DEADLOCK_PAUSE_MS = 50
/** A pool with read-only sessions is replaced at this interval until the database accepts writes. */
const READ_ONLY_MS = 2_000

type Parameters = { timestamp: string; day: string; int8: number }
export type Sql = postgres.Sql<Parameters>
export type Transaction = postgres.TransactionSql<Parameters>
export type AnySql = Sql | Transaction

/** Returns at once; the first query opens a connection. */
export function connect(target: ConnectTarget, options: ConnectOptions = {}): Sql {
  return survivingCuts(onclose => open(target, options, onclose), options.lock_ms)
}

function open(
  target: ConnectTarget,
  { max = 10, fixed_plans = false, session_lock_ms }: ConnectOptions,
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
    types,
    // The driver would query array types on each new connection, and an error of that query can't be caught.
    fetch_types: false,
    onnotice: () => {},
    // A restarted database is back within a second. The default would wait up to 20 s.
    backoff: (attempt: number) => (0.5 + Math.random() / 2) * Math.min(3 ** attempt / 100, 1),
    connection: { application_name: 'channel-feed', DateStyle: 'ISO', TimeZone: 'UTC' },
  }
  if ('url' in target) {
    const { connection, ...driver } = readConnectionUrl(target.url)
    return postgres({ ...common, ...driver, connection: { ...common.connection, ...connection } })
  }
  const { socket_dir, database = 'postgres' } = target
  // Only for the embedded database: poolers in front of others refuse unknown parameters.
  const connection = {
    ...common.connection,
    ...(fixed_plans && { plan_cache_mode: 'force_generic_plan' }),
    ...(session_lock_ms && { lock_timeout: session_lock_ms }),
  }
  return postgres({ ...common, connection, host: socket_dir, port: 5432, user: 'app', database, ssl: false })
}

/**
 * Works around two faults of the driver (3.4.9, porsager/postgres#1154, #1208). Queries hang forever on a connection that
 * closes while a write waits for the next tick, and any query of a transaction whose connection has closed throws from
 * a timer, which ends the process. So a pool that lost a connection is replaced, its remaining queries reject soon, and its
 * transactions send nothing more, not even ROLLBACK: the server rolls back when the connection ends.
 */
function survivingCuts(start: (onclose: () => void) => Sql, lock_ms: number | undefined): Sql {
  const cut = new WeakSet<Sql>()
  const leaving = new Set<Sql>()
  let ended = false
  let current = fresh()

  function fresh(): Sql {
    const pool = start(() => {
      cut.add(pool)
      if (!ended && pool === current) endWithin(OLD_POOL_S, replace())
    })
    return pool
  }

  function replace(): Sql {
    const old = current
    current = fresh()
    return old
  }

  /** What has begun may end first. Ending a pool closes its idle connections, which fails its transactions like a cut. */
  function reconnect(): void {
    const old = replace()
    leaving.add(old)
    setTimeout(() => {
      if (leaving.delete(old)) endWithin(0, old)
    }, OLD_POOL_S * 1000).unref()
  }

  /** `work` runs again if the database ends it because of a deadlock. */
  async function begin(...[first, second]: [string | Work, Work?]): Promise<unknown> {
    const [options, work] = typeof first === 'string' ? [first, second] : ['', first]
    for (let tries = 1; ; tries++) {
      try {
        return await beginOnce(options, work)
      } catch (error) {
        if (!isDeadlock(error) || tries === DEADLOCK_TRIES) throw error
        // Without a pause it would take its first lock before the other transaction resumes, and deadlock again.
        await new Promise(resolve => setTimeout(resolve, tries * DEADLOCK_PAUSE_MS))
      }
    }
  }

  function beginOnce(options: string, work?: Work): Promise<unknown> {
    const pool = current
    const check = () => {
      if (cut.has(pool))
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
        // Not a startup parameter, because poolers refuse unknown ones. It costs no extra round trip.
        const limited =
          lock_ms !== undefined && tx`select set_config('lock_timeout', ${String(lock_ms)}, true)`.execute()
        const [result] = await Promise.all([work?.(tx), limited])
        check()
        return result
      } catch (error) {
        if (!isCut(error) && !cut.has(pool)) throw error
        // `begin` rejects by itself when the driver notices the close.
        return new Promise<never>((_, reject) => setTimeout(() => reject(error), CUT_MAX_MS).unref())
      }
    })
  }

  const own = {
    begin,
    async end(options?: { timeout?: number }): Promise<void> {
      ended = true
      await Promise.all([current, ...leaving].map(pool => pool.end(options)))
    },
    /** With `fetch_types: false` the driver never resolves `reserve` for a connection that isn't open yet. */
    reserve(): never {
      throw new TypeError('use begin, or a pool with one connection')
    },
  }
  const sql = new Proxy(current, {
    apply: (_, self, args) => Reflect.apply(current, self, args),
    get: (_, name) => Reflect.get(Object.hasOwn(own, name) ? own : current, name),
  })
  reconnections.set(sql, reconnect)
  return sql
}

function endWithin(seconds: number, pool: Sql): void {
  pool.end({ timeout: seconds }).catch(() => {})
}

const reconnections = new WeakMap<Sql, () => void>()

/** Opens all connections anew, because the open ones may lead to a database that was replaced. */
export function reconnect(sql: Sql): void {
  reconnections.get(sql)?.()
}

const isCut = (error: unknown) => /^(CONNECTION_|57P0[12])/.test(codeOf(error))

function arrayOf(oid: number) {
  const parse = (text: string): never => {
    throw new TypeError(`${text} came as an array: select to_jsonb() of it`)
  }
  return { to: oid, from: [oid], serialize: arrayLiteral, parse }
}

function arrayLiteral(elements: readonly string[]): string {
  return `{${elements.map(text => `"${text.replace(/["\\]/g, '\\$&')}"`).join(',')}}`
}

function instant(value: string | Date): string {
  return value instanceof Date ? value.toISOString() : value
}

/** From PostgreSQL's `2026-01-31 12:00:00.123456+00`. */
function isoTimestamp(text: string): string {
  return new Date(text).toISOString()
}

function safeInteger(text: string): number {
  const value = Number(text)
  if (!Number.isSafeInteger(value)) throw new RangeError(`bigint ${text} is beyond a safe integer`)
  return value
}
