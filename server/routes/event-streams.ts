// The open event streams of this instance: woken when something happens, ended when their right ends.
import type { ServerResponse } from 'node:http'
import type { Key } from '../auth/api-keys.ts'
import type { Cap } from '../auth/caps.ts'
import type { Sql } from '../database/connect.ts'

const LINGER_MS = 1_000

export class EventStream {
  readonly channel_id: string
  readonly key: Key | undefined
  readonly #response: ServerResponse
  #ended = false
  #rung = false
  #waiting: (() => void) | null = null

  constructor(channel_id: string, key: Key | undefined, response: ServerResponse) {
    this.channel_id = channel_id
    this.key = key
    this.#response = response
  }

  /** True also where the key has expired. */
  get ended(): boolean {
    return this.#ended || this.#untilExpiry() === 0
  }

  /** Something happened. Heard also when nobody waits yet. */
  readonly ring = (): void => {
    this.#rung = true
    this.#waiting?.()
  }

  /** Nothing more is told. What was written and is not taken within a second is given up. */
  readonly end = (): void => {
    if (this.#ended) return
    this.#ended = true
    const linger = setTimeout(() => this.#response.destroy(), LINGER_MS).unref()
    this.#response.once('close', () => clearTimeout(linger))
    this.ring()
  }

  /** Resolves when it rings, or `ms` passed, or the key expired. */
  async heard(ms: number): Promise<void> {
    if (!this.#rung) {
      await new Promise<void>(resolve => {
        const timer = setTimeout(resolve, Math.min(ms, this.#untilExpiry()))
        this.#waiting = () => {
          clearTimeout(timer)
          resolve()
        }
      })
      this.#waiting = null
    }
    this.#rung = false
  }

  #untilExpiry(): number {
    return this.key?.expires_at ? Math.max(0, this.key.expires_at - Date.now()) : Number.POSITIVE_INFINITY
  }
}

export class EventStreams {
  /** With each stream, how it gives back its key's place. */
  readonly #open = new Map<EventStream, () => void>()
  readonly #perKey: Cap
  /** Channel → its last interaction, as of the latest look. */
  #last = new Map<string, number>()

  constructor(perKey: Cap) {
    this.#perKey = perKey
  }

  /** Throws 429 if its key has too many. */
  add(stream: EventStream): void {
    this.#open.set(stream, stream.key ? this.#perKey.take(stream.key.id) : () => {})
  }

  remove(stream: EventStream): void {
    this.#open.get(stream)?.()
    this.#open.delete(stream)
  }

  interacted(channel_id: string): void {
    for (const stream of this.#open.keys()) if (stream.channel_id === channel_id) stream.ring()
  }

  /** The notice of an interaction may be lost with the instance that logged it: rings where there are new ones. */
  async look(sql: Sql): Promise<void> {
    const channel_ids = [...new Set([...this.#open.keys()].map(({ channel_id }) => channel_id))]
    if (channel_ids.length === 0) return
    const rows = await sql<{ channel_id: string; last: number }[]>`
      select channel_id, last from interaction_counters where channel_id = any(${channel_ids}::uuid[])`
    const before = this.#last
    this.#last = new Map(rows.map(({ channel_id, last }) => [channel_id, last]))
    for (const [channel_id, last] of this.#last)
      if (before.get(channel_id) !== last) this.interacted(channel_id)
  }

  /** Changes may have been missed: asks the database whose key or channel is gone. */
  async judge(sql: Sql, open: EventStream[] = [...this.#open.keys()]): Promise<void> {
    if (open.length === 0) return
    const keys = open.flatMap(({ key }) => (key ? [key.id] : []))
    const channels = open.map(({ channel_id }) => channel_id)
    const rows = await sql<{ id: string }[]>`
      select id from api_keys where id = any(${keys}::uuid[])
      union all select id from channels where id = any(${channels}::uuid[])`
    const living = new Set(rows.map(({ id }) => id))
    const judged = new Set(open)
    this.endWhere(
      stream =>
        judged.has(stream) && !(living.has(stream.channel_id) && (!stream.key || living.has(stream.key.id))),
    )
  }

  endWhere(applies: (stream: EventStream) => boolean): void {
    for (const stream of this.#open.keys()) if (applies(stream)) stream.end()
  }
}
