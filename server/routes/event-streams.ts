// The open event streams of this instance: woken by events, ended with their key, channel or right.
import type { ServerResponse } from 'node:http'
import type { Key } from '../auth/api-keys.ts'
import type { Cap } from '../auth/caps.ts'
import { type RefusalsOf, type Runner, Suspects } from '../auth/runners.ts'
import type { Sql } from '../database/connect.ts'

const LINGER_MS = 1_000

export class EventStream {
  readonly channel_id: string
  readonly user_id: string
  readonly key: Key | undefined
  readonly #response: ServerResponse
  #ended = false
  #woken = false
  #resume: (() => void) | null = null

  constructor(channel_id: string, user_id: string, key: Key | undefined, response: ServerResponse) {
    this.channel_id = channel_id
    this.user_id = user_id
    this.key = key
    this.#response = response
  }

  get runner(): Runner {
    return { channel_id: this.channel_id, user_id: this.user_id, key_id: this.key?.id ?? null }
  }

  get ended(): boolean {
    return this.#ended || this.#untilExpiry() === 0
  }

  /** Ends the current `wait`, or the next one. */
  readonly wake = (): void => {
    this.#woken = true
    this.#resume?.()
  }

  /** Drops what the client doesn't read within a second. */
  readonly end = (): void => {
    if (this.#ended) return
    this.#ended = true
    const linger = setTimeout(() => this.#response.destroy(), LINGER_MS).unref()
    this.#response.once('close', () => clearTimeout(linger))
    this.wake()
  }

  /** Resolves when the stream is woken, after `ms`, or when the key expires. */
  async wait(ms: number): Promise<void> {
    if (!this.#woken) {
      await new Promise<void>(resolve => {
        const timer = setTimeout(resolve, Math.min(ms, this.#untilExpiry()))
        this.#resume = () => {
          clearTimeout(timer)
          resolve()
        }
      })
      this.#resume = null
    }
    this.#woken = false
  }

  #untilExpiry(): number {
    return this.key?.expires_at ? Math.max(0, this.key.expires_at - Date.now()) : Number.POSITIVE_INFINITY
  }
}

export class EventStreams {
  readonly #open = new Map<EventStream, () => void>()
  readonly #perKey: Cap
  #last = new Map<string, number>()
  readonly #suspects: Suspects
  #stopped = false

  constructor(perKey: Cap, refusalsOf: RefusalsOf) {
    this.#perKey = perKey
    this.#suspects = new Suspects(refusalsOf)
  }

  add(stream: EventStream): void {
    this.#open.set(stream, stream.key ? this.#perKey.take(stream.key.id) : () => {})
    if (this.#stopped) stream.end()
  }

  remove(stream: EventStream): void {
    this.#open.get(stream)?.()
    this.#open.delete(stream)
  }

  interacted(channel_id: string): void {
    for (const stream of this.#open.keys()) if (stream.channel_id === channel_id) stream.wake()
  }

  /** Wakes streams with new interactions: a notice may be lost with the instance that logged the interaction. */
  async findInteractions(sql: Sql): Promise<void> {
    const channel_ids = [...new Set(this.open.map(({ channel_id }) => channel_id))]
    if (channel_ids.length === 0) return
    const rows = await sql<{ channel_id: string; last: number }[]>`
      select channel_id, last from interaction_counters where channel_id = any(${channel_ids}::uuid[])`
    const before = this.#last
    this.#last = new Map(rows.map(({ channel_id, last }) => [channel_id, last]))
    for (const [channel_id, last] of this.#last)
      if (before.get(channel_id) !== last) this.interacted(channel_id)
  }

  /** Ends those of these streams whose key, channel or right is gone: the notice may have been lost. */
  async endOrphans(open = this.open): Promise<void> {
    for (const stream of open) this.#suspects.add(stream.runner)
    await this.check()
  }

  /** Runs every few seconds, because the database may have been unavailable before. */
  async check(): Promise<void> {
    const refusalOf = await this.#suspects.check()
    this.endWhere(({ runner }) => refusalOf(runner) !== null)
  }

  get open(): EventStream[] {
    return [...this.#open.keys()]
  }

  endWhere(applies: (stream: EventStream) => boolean): void {
    for (const stream of this.#open.keys()) if (applies(stream)) stream.end()
  }

  /** Ends all streams, and those of requests that still arrive. */
  stop(): void {
    this.#stopped = true
    this.endWhere(() => true)
  }
}
