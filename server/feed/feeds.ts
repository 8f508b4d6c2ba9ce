// All channels that this instance has in hand: opened when someone writes or watches, let go when idle.
import type { Bus, Grown } from '../bus/bus.ts'
import { ChannelAudience } from './audience.ts'
import { ChannelFeed, type FeedDeps } from './channel-feed.ts'
import { logsToPrune, readPlaces } from './log.ts'
import type { SharedCopy } from './shared-copy.ts'
import type { Outcome } from './turn.ts'
import type { Viewer } from './viewer.ts'
import type { WriteRequest } from './write-queue.ts'

const CHECK_MS = 1_000
/** So long a followed channel goes without a look at its log: the last notice may be lost with the instance that wrote. */
const QUIET_MS = 5_000
/** Even if all channels are quiet at once, no more than this share of them is looked at in a second. */
const LOOK_SHARE = 1 / 3
const PLACES_MAX = 2_000
/** Live documents, encoded copies and recent updates of all channels take about this much memory at the most. */
const MEMORY_MAX_BYTES = 512 * 1024 * 1024

type Open = { feed: ChannelFeed; audience: ChannelAudience; unwatch: () => void }

export type FeedsDeps = Omit<FeedDeps, 'committed'> & {
  /** A turn of this instance is durable. */
  on_growth: (channel_id: string) => void
  /** Milliseconds as `performance.now()`; tests look ahead. */
  elapsed: () => number
  /** Tests fill less. */
  memory_max_bytes?: number | undefined
}

export class Feeds {
  readonly #deps: FeedDeps
  readonly #elapsed: () => number
  readonly #memory_max: number
  readonly #bus: () => Bus
  readonly #open = new Map<string, Open>()
  /** Channels that are being deleted, until they are. */
  readonly #held = new Map<string, Promise<void>>()
  readonly #timer: NodeJS.Timeout
  #looking = false

  /** `bus` is asked late, since the bus itself brings notices here. */
  constructor(deps: FeedsDeps, bus: () => Bus) {
    this.#bus = bus
    this.#elapsed = deps.elapsed
    this.#memory_max = deps.memory_max_bytes ?? MEMORY_MAX_BYTES
    this.#deps = {
      ...deps,
      committed: grown => {
        deps.on_growth(grown.channel_id)
        bus().tell(grown)
      },
    }
    this.#timer = setInterval(() => this.#check(), CHECK_MS)
  }

  get(channel_id: string): ChannelFeed {
    return this.#at(channel_id).feed
  }

  write(channel_id: string, request: WriteRequest): Promise<Outcome> {
    return this.get(channel_id).write(request)
  }

  /** The channel's document as one update, committed and at most a little behind. 404 if it is gone. */
  whole(channel_id: string): Promise<SharedCopy> {
    return this.#at(channel_id).audience.whole()
  }

  /** The channel's newest cards, as JSON. Committed, and at most a little behind. 404 if it is gone. */
  firstCards(channel_id: string): Promise<SharedCopy> {
    return this.#at(channel_id).audience.firstCards()
  }

  /** Lets a viewer in: from its first message on it is told everything. */
  watch(channel_id: string, viewer: (audience: ChannelAudience) => Viewer): Viewer {
    const { feed, audience } = this.#at(channel_id)
    const watching = viewer(audience)
    feed.fanOut.viewers.add(watching)
    return watching
  }

  /**
   * Runs `work`, which deletes these channels and may take seconds, while their writes wait here. In the database
   * they would wait in one statement with those of all other channels.
   */
  async whileHeld<T>(channel_ids: string[], work: () => Promise<T>): Promise<T> {
    let letGo = () => {}
    const done = new Promise<void>(resolve => {
      letGo = resolve
    })
    for (const id of channel_ids) this.#held.set(id, done)
    try {
      await Promise.all(channel_ids.map(id => this.#open.get(id)?.feed.hold(done)))
      return await work()
    } finally {
      letGo()
      for (const id of channel_ids) if (this.#held.get(id) === done) this.#held.delete(id)
    }
  }

  /** The channel was deleted, here or elsewhere. */
  deleted(channel_id: string): void {
    this.#open.get(channel_id)?.feed.delete()
    this.#close(channel_id)
  }

  heard(grown: Grown): void {
    this.#open.get(grown.channel_id)?.feed.heard(grown)
  }

  /** Notices may be missing: reads where these documents stand, and follows those that moved. */
  async catchUp(channel_ids: Iterable<string> = this.#open.keys()): Promise<void> {
    const ids = [...channel_ids].filter(id => this.#open.has(id))
    for (let i = 0; i < ids.length; i += PLACES_MAX) await this.#look(ids.slice(i, i + PLACES_MAX))
  }

  async #look(channel_ids: string[]): Promise<void> {
    const read_at = performance.now()
    const rows = await readPlaces(this.#deps.sql, channel_ids)
    const found = new Map(rows.map(row => [row.channel_id, row]))
    for (const id of channel_ids) {
      const feed = this.#open.get(id)?.feed
      const place = found.get(id)
      if (place) feed?.looked(place, read_at)
      else if (feed?.head) this.deleted(id)
    }
  }

  /** Looks at the logs of quiet channels; without the bus, at those of all. */
  async #lookAround(): Promise<void> {
    if (this.#looking) return
    this.#looking = true
    try {
      if (!this.#bus().connected) return await this.catchUp()
      const since = performance.now() - QUIET_MS
      const quiet = [...this.#open].filter(([, { feed }]) => feed.unconfirmed(since)).map(([id]) => id)
      await this.catchUp(quiet.slice(0, Math.ceil(this.#open.size * LOOK_SHARE)))
    } catch (error) {
      this.#deps.log.debug({ err: error }, 'no catch-up')
    } finally {
      this.#looking = false
    }
  }

  /** The database may lack what is shown here: all viewers start over. */
  historyLost(): void {
    for (const { feed, audience } of this.#open.values()) {
      void feed.historyLost().then(() => audience.forget())
    }
  }

  /** Lets the log go of what was deleted, once nobody comes back for it. */
  async prune(): Promise<void> {
    for (const channel_id of await logsToPrune(this.#deps.sql)) this.#deps.snapshots.ask(channel_id, () => {})
  }

  /** For the metrics. */
  counts(): { channels: number; viewers: number; memory: number } {
    let viewers = 0
    for (const { feed } of this.#open.values()) viewers += feed.fanOut.viewers.size
    return { channels: this.#open.size, viewers, memory: this.#memory }
  }

  /** Resolves when every write that was taken has been answered. */
  async settle(): Promise<void> {
    await Promise.all([...this.#open.values()].map(({ feed }) => feed.settled()))
  }

  get viewers(): Viewer[] {
    return [...this.#open.values()].flatMap(({ feed }) => [...feed.fanOut.viewers])
  }

  stop(): void {
    clearInterval(this.#timer)
    for (const { feed } of this.#open.values()) feed.fanOut.stop()
  }

  #at(channel_id: string): Open {
    const known = this.#open.get(channel_id)
    if (known) return known
    const feed = new ChannelFeed(channel_id, this.#deps)
    const held = this.#held.get(channel_id)
    if (held) void feed.hold(held)
    const audience = new ChannelAudience(feed, this.#deps.sql, this.#deps.log)
    // Not for its viewers alone: who writes without knowing what others wrote loses the race for the log.
    const open = { feed, audience, unwatch: this.#bus().watch(channel_id) }
    this.#open.set(channel_id, open)
    return open
  }

  #close(channel_id: string): void {
    this.#open.get(channel_id)?.unwatch()
    this.#open.delete(channel_id)
  }

  #check(): void {
    const now = this.#elapsed()
    void this.#lookAround()
    for (const [channel_id, { feed, audience }] of this.#open) {
      audience.check(now)
      if (feed.check(now)) this.#close(channel_id)
    }
    this.#lighten()
  }

  /** What was used longest ago leaves memory first. Viewers get what they need from the log. */
  #lighten(): void {
    let memory = this.#memory
    if (memory <= this.#memory_max) return
    const held = [...this.#open.values()].flatMap(({ feed, audience }) => [
      { memory: feed.memory, used: feed.used, release: () => feed.rest() },
      { memory: audience.memory, used: audience.used, release: () => audience.forget() },
    ])
    for (const one of held.filter(({ memory }) => memory > 0).sort((a, b) => a.used - b.used)) {
      if (memory <= this.#memory_max) return
      memory -= one.memory
      one.release()
    }
  }

  get #memory(): number {
    let bytes = 0
    for (const { feed, audience } of this.#open.values()) bytes += feed.memory + audience.memory
    return bytes
  }
}
