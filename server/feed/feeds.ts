// All channels that are open on this instance. A channel opens with its first write or viewer, and closes when idle.
import { setTimeout as delay } from 'node:timers/promises'
import type { Bus, GrownNotice } from '../bus/bus.ts'
import { logsToPrune, readLogEnds } from './log/log.ts'
import { OpenChannel } from './open-channel.ts'
import type { WriterDeps } from './turn/channel-writer.ts'
import { ChannelAudience } from './viewers/audience.ts'
import { FanOut, type ViewerSocket } from './viewers/viewers.ts'

const CHECK_MS = 1_000
/** An open channel's log is checked this often: an instance may die before it publishes its last notice. */
const QUIET_MS = 4_500
/** At most this share of the open channels is checked per second. */
const CHECK_SHARE = 1 / 3
const LOG_ENDS_MAX = 2_000
/** About how much memory the live documents, encoded copies and recent updates of all channels may take. */
const MEMORY_MAX_BYTES = 512 * 1024 * 1024

/** A stop has ten seconds in all. */
const SNAPSHOTS_MS = 2_000

type WatchedChannel = { feed: OpenChannel; audience: ChannelAudience; unwatch: () => void }

export type FeedsDeps = Omit<WriterDeps, 'committed'> & {
  on_growth: (channel_id: string) => void
  elapsed: () => number
  memory_max_bytes?: number | undefined
}

export class Feeds {
  readonly #deps: WriterDeps
  readonly #elapsed: () => number
  readonly #memory_max: number
  readonly #bus: Bus
  readonly #open = new Map<string, WatchedChannel>()
  readonly #paused = new Map<string, Promise<void>>()
  readonly #timer: NodeJS.Timeout
  #checking = false

  constructor(deps: FeedsDeps, bus: Bus) {
    this.#bus = bus
    this.#elapsed = deps.elapsed
    this.#memory_max = deps.memory_max_bytes ?? MEMORY_MAX_BYTES
    this.#deps = {
      ...deps,
      committed: notice => {
        deps.on_growth(notice.channel_id)
        bus.publish(notice)
      },
    }
    this.#timer = setInterval(() => this.#check(), CHECK_MS)
  }

  get(channel_id: string): OpenChannel {
    return this.#openChannel(channel_id).feed
  }

  audience(channel_id: string): ChannelAudience {
    return this.#openChannel(channel_id).audience
  }

  watch(channel_id: string, viewer: (audience: ChannelAudience) => ViewerSocket): ViewerSocket {
    const audience = this.audience(channel_id)
    const watching = viewer(audience)
    audience.fanOut.viewers.add(watching)
    return watching
  }

  /** Delays turns of these channels while `work` deletes them. Waiting for the database's locks, they would delay all channels. */
  async whilePaused<T>(channel_ids: string[], work: () => Promise<T>): Promise<T> {
    let resume = () => {}
    const done = new Promise<void>(resolve => {
      resume = resolve
    })
    for (const id of channel_ids) this.#paused.set(id, done)
    try {
      await Promise.all(channel_ids.map(id => this.#open.get(id)?.feed.pause(done)))
      return await work()
    } finally {
      resume()
      for (const id of channel_ids) if (this.#paused.get(id) === done) this.#paused.delete(id)
    }
  }

  channelDeleted(channel_id: string): void {
    this.#open.get(channel_id)?.feed.close()
    this.#close(channel_id)
  }

  receive(notice: GrownNotice): void {
    this.#open.get(notice.channel_id)?.feed.receive(notice)
  }

  async catchUp(channel_ids: Iterable<string> = this.#open.keys()): Promise<void> {
    const ids = [...channel_ids].filter(id => this.#open.has(id))
    for (let i = 0; i < ids.length; i += LOG_ENDS_MAX) await this.#checkLogs(ids.slice(i, i + LOG_ENDS_MAX))
  }

  async #checkLogs(channel_ids: string[]): Promise<void> {
    const read_at = performance.now()
    const ends = new Map((await readLogEnds(this.#deps.sql, channel_ids)).map(end => [end.channel_id, end]))
    for (const id of channel_ids) {
      const feed = this.#open.get(id)?.feed
      const end = ends.get(id)
      if (end) feed?.checkEnd(end, read_at)
      else if (feed?.log_head) this.channelDeleted(id)
    }
  }

  /** Checks the logs of quiet channels; without the bus, of all. */
  async #checkQuietLogs(): Promise<void> {
    if (this.#checking) return
    this.#checking = true
    try {
      if (!this.#bus.connected) return await this.catchUp()
      const since = performance.now() - QUIET_MS
      const quiet = [...this.#open]
        .filter(([, { feed }]) => feed.document.committed.unconfirmed(since))
        // Requests that wait for a decision are promised its answer within six seconds.
        .filter(([, { feed }], i) => feed.document.listened || i < this.#open.size * CHECK_SHARE)
      await this.catchUp(quiet.map(([id]) => id))
    } catch (error) {
      this.#deps.log.debug({ err: error }, 'could not check the logs')
    } finally {
      this.#checking = false
    }
  }

  historyLost(): void {
    for (const { feed, audience } of this.#open.values())
      void feed.historyLost().then(() => audience.forget())
  }

  async prune(): Promise<void> {
    for (const channel_id of await logsToPrune(this.#deps.sql))
      this.#deps.snapshots.request(channel_id, () => {})
  }

  counts(): { channels: number; viewers: number; memory: number } {
    return { channels: this.#open.size, viewers: this.viewers.length, memory: this.#memory }
  }

  async settle(): Promise<void> {
    await Promise.all([...this.#open.values()].map(({ feed }) => feed.writer.settled()))
  }

  /** Shortens the logs that the next start has to read. Resolves after SNAPSHOTS_MS, even if some are missing. */
  async takeLastSnapshots(): Promise<void> {
    const documents = [...this.#open.values()].map(({ feed }) => feed.document)
    const taken = Promise.all(documents.map(document => document.takeLastSnapshot()))
    await Promise.race([taken, delay(SNAPSHOTS_MS, undefined, { ref: false })])
  }

  get viewers(): ViewerSocket[] {
    return [...this.#open.values()].flatMap(({ audience }) => [...audience.fanOut.viewers])
  }

  stop(): void {
    clearInterval(this.#timer)
    for (const { audience } of this.#open.values()) audience.fanOut.stop()
  }

  #openChannel(channel_id: string): WatchedChannel {
    const known = this.#open.get(channel_id)
    if (known) return known
    const fanOut = new FanOut()
    const feed = new OpenChannel(channel_id, this.#deps, fanOut)
    const paused = this.#paused.get(channel_id)
    if (paused) void feed.pause(paused)
    const audience = new ChannelAudience(feed, fanOut, this.#deps.sql, this.#deps.log)
    // An instance that writes needs the notices too. Otherwise its log would be out of date, and most of its appends would fail.
    const open = { feed, audience, unwatch: this.#bus.watch(channel_id) }
    this.#open.set(channel_id, open)
    return open
  }

  #close(channel_id: string): void {
    this.#open.get(channel_id)?.unwatch()
    this.#open.delete(channel_id)
  }

  #check(): void {
    const now = this.#elapsed()
    void this.#checkQuietLogs()
    for (const [channel_id, { feed, audience }] of this.#open) {
      audience.check(now)
      if (feed.check(now)) this.#close(channel_id)
    }
    this.#freeMemory()
  }

  /** The least recently used documents and copies leave memory first. */
  #freeMemory(): void {
    let memory = this.#memory
    if (memory <= this.#memory_max) return
    const holders = [...this.#open.values()].flatMap(({ feed, audience }) => [
      {
        memory: feed.document.memory,
        used: feed.document.committed.used,
        free: () => feed.document.unload(),
      },
      { memory: audience.memory, used: audience.used, free: () => audience.forget() },
    ])
    for (const holder of holders.filter(({ memory }) => memory > 0).sort((a, b) => a.used - b.used)) {
      if (memory <= this.#memory_max) return
      memory -= holder.memory
      holder.free()
    }
  }

  get #memory(): number {
    let bytes = 0
    for (const { feed, audience } of this.#open.values()) bytes += feed.document.memory + audience.memory
    return bytes
  }
}
