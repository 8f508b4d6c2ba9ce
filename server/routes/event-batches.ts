// Reads events in batches for event streams. A batch waits in memory for its clients, so it is bounded in bytes, encoded once
// and shared by all streams at the same position.
import type { Sql } from '../database/connect.ts'
import { readEvents } from '../feed/log/events.ts'
import { interactionsAfter, withoutNumber } from '../model/interactions.ts'
import { SharedReads } from './shared-reads.ts'

/** `data`: the event's line of data, and the empty line that ends the event. */
type EncodedEvent = { type: string; data: Buffer }
export type EncodedTurn = { seq: number; events: EncodedEvent[] }
type EncodedInteraction = EncodedEvent & { number: number }

/** `bytes`: of all its events. */
export type Batch<T> = { items: T[]; bytes: number }

const TURNS_MAX = 32
/** The turn or interaction that reaches this is the batch's last one. */
const BYTES_MAX = 1024 * 1024
const INTERACTIONS_MAX = 32

export class EventBatches {
  readonly #sql: Sql
  readonly #public_url: string
  readonly #turns = new SharedReads<Batch<EncodedTurn> | null>()
  readonly #interactions = new SharedReads<Batch<EncodedInteraction>>()

  constructor(sql: Sql, public_url: string) {
    this.#sql = sql
    this.#public_url = public_url
  }

  /** Calls `work` with the events of some turns from `from` on; with null if the log doesn't have them. */
  turns<R>(
    channel_id: string,
    { epoch, from, last }: { epoch: number; from: number; last: number },
    work: (batch: Batch<EncodedTurn> | null) => Promise<R>,
  ): Promise<R> {
    const read = async () => {
      const limit = Math.min(TURNS_MAX, last - from + 1)
      const at = { epoch, from, limit, max_bytes: BYTES_MAX }
      const logged = await readEvents(this.#sql, channel_id, at)
      if (!logged) return null
      const items = logged.map(({ seq, events }) => ({
        seq,
        events: events.map(({ type, data }) => encode(type, data)),
      }))
      return { items, bytes: lengthOf(items.flatMap(({ events }) => events)) }
    }
    return this.#turns.use(`${channel_id} ${epoch}.${from}`, read, work)
  }

  /** The same for some interactions after `after`. If there are none, `fresh` says that this call has looked. */
  interactions<R>(
    channel_id: string,
    after: number,
    work: (batch: Batch<EncodedInteraction>, fresh: boolean) => Promise<R>,
  ): Promise<R> {
    const read = async () => {
      const part = { limit: INTERACTIONS_MAX, max_bytes: BYTES_MAX }
      const found = await interactionsAfter(this.#sql, channel_id, after, part, this.#public_url)
      const items = found.map(one => ({
        number: one.number,
        ...encode('interaction.created', withoutNumber(one)),
      }))
      return { items, bytes: lengthOf(items) }
    }
    return this.#interactions.use(`${channel_id} ${after}`, read, work)
  }
}

const encode = (type: string, data: unknown): EncodedEvent => ({
  type,
  data: Buffer.from(`data: ${JSON.stringify(data)}\n\n`),
})

const lengthOf = (events: EncodedEvent[]) => events.reduce((sum, { data }) => sum + data.length, 0)
