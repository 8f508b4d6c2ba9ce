// Idempotency-Key: the first response to a request is stored for a day and sent again to every repetition.
// The commit that does the work also stores the response, so there is never one without the other.
import { createHash } from 'node:crypto'
import type { Sql } from '../database/connect.ts'
import { keyInUse, keyReused, tooManyStoredResponses } from '../errors.ts'
import {
  deleteExpiredResponses,
  findResponse,
  KeyTaken,
  type StoredResponse,
  sumResponses,
} from './stored-responses.ts'

/** A request with a key. `body_hash` is hexadecimal: bodies are compared byte by byte. */
export type KeyedRequest = Omit<StoredResponse, 'status' | 'response'>

type Result = { status: number; response: string; replayed: boolean }

/** How many responses, and how many bytes of them, are stored for a user. */
type Usage = {
  count: number
  bytes: number
  /** When the oldest response expires, in terms of performance.now(). */
  frees_at: number
}

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
   * Runs `work` once for this key, or returns the response of the first run. `work` must store its response. No
   * response is deleted early, because a repetition could then run twice: a user with too many gets 429 instead.
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
    await deleteExpiredResponses(this.#sql)
  }

  async #find(request: KeyedRequest): Promise<Result | null> {
    const found = await findResponse(this.#sql, request)
    if (!found) return null
    if (!found.same_body) throw keyReused()
    return { status: found.status, response: found.response, replayed: true }
  }

  async #checkUsage(user_id: string): Promise<void> {
    const { read_at, usage } = this.#readUsage(user_id)
    const { count, bytes, frees_at } = await usage
    if (count < RESPONSES_MAX && bytes < BYTES_MAX) return
    throw tooManyStoredResponses((Math.max(frees_at, read_at + READ_EVERY_MS) - this.#elapsed()) / 1_000)
  }

  #readUsage(user_id: string): { read_at: number; usage: Promise<Usage> } {
    const read_at = this.#elapsed()
    const known = this.#usage.get(user_id)
    if (known && read_at - known.read_at < READ_EVERY_MS) return known
    const usage = sumResponses(this.#sql, user_id).then(({ count, bytes, expires_in }) => ({
      count,
      bytes,
      frees_at: this.#elapsed() + expires_in * 1_000,
    }))
    usage.catch(() => this.#usage.delete(user_id))
    const next = { read_at, usage }
    this.#usage.set(user_id, next)
    return next
  }

  #count(user_id: string, response: string): void {
    const add = (usage: Usage) => {
      usage.count += 1
      usage.bytes += Buffer.byteLength(response)
    }
    this.#usage.get(user_id)?.usage.then(add, () => {})
  }
}
