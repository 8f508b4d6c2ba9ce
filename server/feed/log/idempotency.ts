// Idempotency-Key: the first response is stored for a day, in the commit that does the work, and sent to every repetition.
import { createHash } from 'node:crypto'
import type { Sql } from '../../database/connect.ts'
import { apiError, keyInUse, tooMany } from '../../errors.ts'
import { KeyTaken, lifetime, type StoredResponse } from './stored-responses.ts'

/** A request with a key. `body_hash` is hexadecimal: bodies are compared byte by byte. */
export type KeyedRequest = Omit<StoredResponse, 'status' | 'response'>

type Result = Pick<StoredResponse, 'status' | 'response'> & { replayed: boolean }

type Usage = { count: number; bytes: number; frees_at: number }

const RESPONSES_MAX = 100_000
const BYTES_MAX = 64 * 1024 * 1024
const READ_EVERY_MS = 60_000

export const hashBody = (body: Uint8Array) => createHash('sha256').update(body).digest('hex')

export class Idempotency {
  readonly #sql: Sql
  readonly #elapsed: () => number
  readonly #running = new Set<string>()
  /** By user. Read at most once a minute; in between, this instance adds only what it stores itself. */
  readonly #usage = new Map<string, { read_at: number; usage: Promise<Usage> }>()

  constructor(sql: Sql, elapsed: () => number) {
    this.#sql = sql
    this.#elapsed = elapsed
  }

  /**
   * Returns the stored response, or runs `work`, which must store one. A user with too many responses gets 429: if one
   * were deleted early, its request could run twice.
   */
  async once(request: KeyedRequest, work: () => Promise<Omit<Result, 'replayed'>>): Promise<Result> {
    const { user_id } = request
    const name = JSON.stringify([user_id, request.method, request.path, request.key])
    if (this.#running.has(name)) throw keyInUse()
    this.#running.add(name)
    try {
      const stored = await this.#find(request)
      if (stored) return stored
      await this.#checkUsage(user_id)
      const result = await work()
      this.#count(user_id, result.response)
      return { ...result, replayed: false }
    } catch (error) {
      if (!(error instanceof KeyTaken)) throw error
      const stored = await this.#find(request)
      if (!stored) throw keyInUse()
      return stored
    } finally {
      this.#running.delete(name)
    }
  }

  async sweep(): Promise<void> {
    this.#usage.clear()
    const sql = this.#sql
    await sql`
      delete from idempotency_keys where (user_id, method, path, key) in (
        select user_id, method, path, key from idempotency_keys
        where created_at < now() - ${lifetime(sql)} for update skip locked)`
  }

  async #find({ user_id, method, path, key, body_hash }: KeyedRequest): Promise<Result | null> {
    const sql = this.#sql
    const [found] = await sql<(Omit<Result, 'replayed'> & { same_body: boolean })[]>`
      select body_hash = decode(${body_hash}, 'hex') as same_body, status, response from idempotency_keys
      where user_id = ${user_id} and method = ${method} and path = ${path} and key = ${key}
        and created_at > now() - ${lifetime(sql)}`
    if (!found) return null
    if (!found.same_body) throw apiError('idempotency_key_reused')
    return { status: found.status, response: found.response, replayed: true }
  }

  async #checkUsage(user_id: string): Promise<void> {
    const now = this.#elapsed()
    let known = this.#usage.get(user_id)
    if (!known || now - known.read_at >= READ_EVERY_MS) {
      known = { read_at: now, usage: this.#readUsage(user_id) }
      known.usage.catch(() => this.#usage.delete(user_id))
      this.#usage.set(user_id, known)
    }
    const { count, bytes, frees_at } = await known.usage
    if (count < RESPONSES_MAX && bytes < BYTES_MAX) return
    const retry_at = Math.max(frees_at, known.read_at + READ_EVERY_MS)
    throw tooMany('too_many_stored', (retry_at - this.#elapsed()) / 1_000)
  }

  async #readUsage(user_id: string): Promise<Usage> {
    const sql = this.#sql
    const [row] = await sql<{ count: number; bytes: number; expires_in: number }[]>`
      select count(*) as count, coalesce(sum(octet_length(response)), 0)::bigint as bytes,
        extract(epoch from coalesce(min(created_at), now()) + ${lifetime(sql)} - now())::float8 as expires_in
      from idempotency_keys where user_id = ${user_id} and created_at > now() - ${lifetime(sql)}`
    if (!row) throw new Error('an aggregate returns one row')
    const { expires_in, ...usage } = row
    return { ...usage, frees_at: this.#elapsed() + expires_in * 1_000 }
  }

  #count(user_id: string, response: string): void {
    const add = (usage: Usage) => {
      usage.count += 1
      usage.bytes += Buffer.byteLength(response)
    }
    this.#usage.get(user_id)?.usage.then(add, () => {})
  }
}
