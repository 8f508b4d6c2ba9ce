// Idempotency-Key: the first answer to a request is kept for a day, and returned to whoever repeats it.
// The answer is written by the commit that does the work (commit.ts), so one never stands without the other.
import { createHash } from 'node:crypto'
import type { Sql, Transaction } from '../database/connect.ts'
import { keyInUse, keyReused } from '../errors.ts'
import { KeptAnswers } from './kept-answers.ts'
import type { KeptAnswer } from './turn-record.ts'

/** Another instance answered a request with this key while this one was at work on it. */
export class KeyTaken extends Error {
  override name = 'KeyTaken'
}

/** A request that carries a key. `body_hash` is hexadecimal: bodies are compared byte for byte. */
export type KeyedRequest = { user_id: string; method: string; path: string; key: string; body_hash: string }

export type Answer = { status: number; response: string; replayed: boolean }

export const hashBody = (body: Uint8Array) => createHash('sha256').update(body).digest('hex')

export class Idempotency {
  readonly #sql: Sql
  readonly #running = new Set<string>()
  readonly #kept: KeptAnswers

  constructor(sql: Sql, elapsed: () => number) {
    this.#sql = sql
    this.#kept = new KeptAnswers(sql, elapsed)
  }

  /**
   * Runs `work` once for this key, or returns what the first run answered. `work` must keep its answer. Throws 429
   * before it runs if too much is kept for the user already.
   */
  async once(request: KeyedRequest, work: () => Promise<Omit<Answer, 'replayed'>>): Promise<Answer> {
    const name = JSON.stringify([request.user_id, request.method, request.path, request.key])
    if (this.#running.has(name)) throw keyInUse()
    this.#running.add(name)
    try {
      const kept = await this.#find(request)
      if (kept) return kept
      await this.#kept.refuseBeyond(request.user_id)
      const answer = await work()
      this.#kept.add(request.user_id, answer.response)
      return { ...answer, replayed: false }
    } catch (error) {
      if (!(error instanceof KeyTaken)) throw error
      const kept = await this.#find(request)
      if (!kept) throw keyInUse()
      return kept
    } finally {
      this.#running.delete(name)
    }
  }

  /** Lets go of answers older than a day. */
  async sweep(): Promise<void> {
    this.#kept.clear()
    await this.#sql`
      delete from idempotency_keys where (user_id, method, path, key) in (
        select user_id, method, path, key from idempotency_keys
        where created_at < now() - interval '24 hours' for update skip locked)`
  }

  async #find({ user_id, method, path, key, body_hash }: KeyedRequest): Promise<Answer | null> {
    const [kept] = await this.#sql<{ same: boolean; status: number; response: string }[]>`
      select body_hash = decode(${body_hash}, 'hex') as same, status, response from idempotency_keys
      where user_id = ${user_id} and method = ${method} and path = ${path} and key = ${key}
        and created_at > now() - interval '24 hours'`
    if (!kept) return null
    if (!kept.same) throw keyReused()
    return { status: kept.status, response: kept.response, replayed: true }
  }
}

/** Keeps an answer within a transaction of one's own; `KeyTaken` where another instance was first. */
export async function keepAnswer(tx: Transaction, answer: KeptAnswer): Promise<void> {
  const { user_id, method, path, key, body_hash, status, response } = answer
  const kept = await tx`
    insert into idempotency_keys (user_id, method, path, key, body_hash, status, response)
    values (${user_id}, ${method}, ${path}, ${key}, decode(${body_hash}, 'hex'), ${status}, ${response})
    on conflict (user_id, method, path, key) do update
      set body_hash = excluded.body_hash, status = excluded.status, response = excluded.response, created_at = now()
      where idempotency_keys.created_at < now() - interval '24 hours'
    returning key`
  if (kept.length === 0) throw new KeyTaken()
}

/** Lets go of what was answered below channels that are being deleted: nobody can ask for it again. */
export async function forgetAnswers(tx: Transaction, user_id: string, channel_ids: string[]): Promise<void> {
  const below = channel_ids.flatMap(id => [`/api/channels/${id}/%`, `/api/v1/channels/${id}/%`])
  await tx`
    delete from idempotency_keys where user_id = ${user_id} and lower(path) like any(${below}::text[])`
}
