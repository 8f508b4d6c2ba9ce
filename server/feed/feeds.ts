// All channels that this instance has in hand: opened when someone writes or watches, let go when idle.
import type { Bus, Grown } from '../bus/bus.ts'
import { ChannelAudience } from './audience.ts'
import { ChannelFeed, type FeedDeps } from './channel-feed.ts'
import { logsToPrune, readPlaces } from './log.ts'
import type { Outcome } from './turn.ts'
import type { Viewer } from './viewer.ts'
import type { WriteRequest } from './write-queue.ts'

const CHECK_MS = 1_000
/** So long a followed channel goes without a look at its log: the last notice may be lost with the instance that wrote. */
const QUIET_MS = 5_000
/** Even if all channels are quiet at once, no more than this share of them is looked at in a second. */
const LOOK_SHARE = 1 / 3
const PLACES_MAX = 2_000
/** About half a kilobyte an item: 0.7 GB of live documents at the most, where very many channels are written at once. */
const WEIGHT_MAX = 1_500_000

type Open = { feed: ChannelFeed; audience: ChannelAudience; unwatch: () => void }

export type FeedsDeps = Omit<FeedDeps, 'committed'> & {
  /** A turn of this instance is durable. */
  on_growth: (channel_id: string) => void
}

export class Feeds {
  readonly #deps: FeedDeps
  readonly #bus: () => Bus
  readonly #open = new Map<string, Open>()
  /** Channels that are being deleted, until they are. */
  readonly #held = new Map<string, Promise<void>>()
  readonly #timer: NodeJS.Timeout
  #looking = false

  /** `bus` is asked late, since the bus itself brings notices here. */
  constructor(deps: FeedsDeps, bus: () => Bus) {
    this.#bus = bus
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

  /** The channel's document as one update, committed and at most a little behind. 404 where it is gone. */
  whole(channel_id: string): Promise<Uint8Array> {
    return this.#at(channel_id).audience.whole()
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
  counts(): { channels: number; viewers: number } {
    let viewers = 0
    for (const { feed } of this.#open.values()) viewers += feed.fanOut.viewers.size
    return { channels: this.#open.size, viewers }
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
    const now = this.#deps.now()
    void this.#lookAround()
    for (const [channel_id, { feed, audience }] of this.#open) {
      audience.check(now)
      if (feed.check(now)) this.#close(channel_id)
    }
    this.#lighten()
  }

  /** Too many documents in memory: those that rested longest leave first. */
  #lighten(): void {
    const feeds = [...this.#open.values()].map(({ feed }) => feed).filter(({ weight }) => weight > 0)
    let weight = feeds.reduce((sum, feed) => sum + feed.weight, 0)
    if (weight <= WEIGHT_MAX) return
    for (const feed of feeds.sort((a, b) => a.used - b.used)) {
      if (weight <= WEIGHT_MAX) return
      weight -= feed.weight
      feed.rest()
    }
  }
}
