// A channel's live document with its rows and its log, as the database would have them.
import { randomUUID } from 'node:crypto'
import { expect } from 'vitest'
import { ApiError } from '../../server/errors.ts'
import { LiveDocument } from '../../server/feed/document/live-document.ts'
import { firstUpdate } from '../../server/feed/log/epochs.ts'
import { type Mutation, NotThisTurn } from '../../server/feed/turn/mutation.ts'
import { TurnBuilder } from '../../server/feed/turn/turn-builder.ts'
import { TurnQuota } from '../../server/feed/turn/turn-quota.ts'
import type { PlacedCard } from '../../shared/card.ts'
import { pageOf } from '../../shared/channel-doc.ts'
import { Invalid } from '../../shared/invalid.ts'

const NO_LIMITS = { cards: null, bytes: null }

export const CHANNEL = randomUUID()
export const CLIENT = 4_711
const HEAD = { name: 'Channel', description: null, icon: '📡', mode: 'view', actions: [] } as const

export class ChannelModel {
  readonly rows = new Map<string, PlacedCard>()
  readonly versions = new Map<number, number>()
  readonly log: { clock: number; update: Uint8Array }[] = []
  live: LiveDocument
  next_position = 0
  #snapshot: Uint8Array | null = null
  #snapshot_length = 0
  /** Another instance, and how much of the log it has. */
  #other: { live: LiveDocument; length: number } | null = null

  constructor() {
    const first = firstUpdate(CHANNEL, CLIENT, { ...HEAD, actions: [] })
    this.log.push(first)
    this.live = new LiveDocument(CHANNEL, CLIENT, [first.update])
  }

  /** Returns the cards of a turn that only inserted cards, into pages that stayed; null for other turns. */
  turn(writes: Mutation[]): PlacedCard[] | null {
    const rows = [...this.rows.values()]
    const keys = new Map(
      rows.flatMap(({ id, key }): [string, string][] => (key === undefined ? [] : [[key, id]])),
    )
    const cards = rows.filter(({ position }) => this.live.isArchived(pageOf(position)))
    const seq = this.log.length + 1
    const turn = new TurnBuilder(
      this.live,
      { cards, keys, touched: new Map(this.versions), decisions: [], receipts: null },
      {
        seq,
        next_position: this.next_position,
        now: new Date(seq).toISOString(),
        public_url: '',
        sign: record => record,
        quota: new TurnQuota({ limits: NO_LIMITS, left: NO_LIMITS }, seq),
      },
    )
    const before = this.live.clock
    const oldest = this.live.oldestThatFits() ?? 0
    const apply = () => {
      for (const write of writes) {
        try {
          turn.apply(write)
        } catch (error) {
          if (error instanceof NotThisTurn) return
          if (!(error instanceof Invalid || error instanceof ApiError)) throw error
        }
      }
    }
    const update = this.live.transact(() => {
      apply()
      turn.finish(turn.rows.size > 0 || this.live.clock > before ? oldest : 0)
    })
    if (!update) return null
    expect(this.live.clock).toBeGreaterThan(before)
    this.log.push({ clock: this.live.clock, update })
    this.next_position = turn.next_position
    for (const page of turn.pages) this.versions.set(page, seq)
    for (const [id, { card, is }] of turn.rows)
      is === 'deleted' ? this.rows.delete(id) : this.rows.set(id, card)
    return turn.pages.size === 0 && writes.every(({ kind }) => kind === 'insert')
      ? [...turn.rows.values()].map(({ card }) => card)
      : null
  }

  updates(from = 0, to = this.log.length): Uint8Array[] {
    return this.log.slice(from, to).map(({ update }) => update)
  }

  takeSnapshot(): Uint8Array {
    this.#snapshot_length = this.log.length
    this.#snapshot = this.live.encode()
    return this.#snapshot
  }

  /** Loads the document as another instance, or the same one after a rest, would: the snapshot and the log after it. */
  reload(): void {
    this.live = this.#load()
  }

  /** The next turns are made by another instance, which follows the log. */
  handOver(): void {
    const { live } = this
    if (this.#other) this.#other.live.apply(this.updates(this.#other.length))
    this.live = this.#other?.live ?? this.#load()
    this.#other = { live, length: this.log.length }
  }

  liveRows(): PlacedCard[] {
    const rows = [...this.rows.values()].filter(({ position }) => !this.live.isArchived(pageOf(position)))
    return rows.sort((a, b) => a.position - b.position)
  }

  #load(): LiveDocument {
    const updates = this.updates(this.#snapshot_length)
    return new LiveDocument(CHANNEL, CLIENT, this.#snapshot ? [this.#snapshot, ...updates] : updates)
  }
}
