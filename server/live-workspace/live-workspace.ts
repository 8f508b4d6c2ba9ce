// A workspace's page that viewers of this instance have open. It is read when it may have changed, and viewers get what
// changed: the first change at once, those within the next second together.
import type { Logger } from 'pino'
import { CLOSE_DELETED } from '../../shared/close-codes.ts'
import type { WorkspaceMessage } from '../../shared/workspace-live.ts'
import type { Sql } from '../database/connect.ts'
import type { Audience, Viewer } from '../feed/viewer.ts'
import { webSocketFrame } from '../feed/web-socket-frame.ts'
import { readActivity, readWorkspacePage } from '../model/workspace-page.ts'
import { afterActivity, afterPage, messagesSince, type PageVersion } from './page-versions.ts'

export type LiveWorkspaceDeps = {
  sql: Sql
  log: Logger
  /** Milliseconds as `performance.now()`; tests look ahead. */
  elapsed: () => number
}

/** What the page needs of `LiveWorkspaces`. Watching lasts until the returned function is called. */
export type Surroundings = {
  /** Reports growth and deletion of a listed channel. */
  watch: (channel_id: string) => () => void
  /** Reports the same for channels that no page lists, while the page's own list is being read. */
  watchUnlisted: () => () => void
  /** The last viewer left. */
  abandoned: () => void
}

/** Viewers get messages at most this often. */
const SEND_MS = 1_000
/** After a read without changes, the next read may follow sooner. */
const READ_MS = 250
/** The pause between reads is at least so many times as long as the last read, which spares a slow database. */
const READ_SHARE = 2
const KEEP_ALIVE_MS = 20_000
/** Notices can be lost with the instance that sent them, so activity is reread this often, and the page less often. */
const REREAD_ACTIVITY_MS = 5_000
const REREAD_PAGE_MS = 60_000

/** `resting`: the pause after a read. */
type State =
  | { kind: 'idle' }
  | { kind: 'reading' }
  | { kind: 'resting'; timer: NodeJS.Timeout }
  | { kind: 'closed' }

/** What a viewer may do, as decided at an access version. */
export type Right = { can_edit: boolean; access_version: number }

export class LiveWorkspace implements Audience {
  readonly #id: string
  readonly #deps: LiveWorkspaceDeps
  readonly #surroundings: Surroundings
  readonly #viewers = new Map<Viewer, Right>()
  /** For each listed channel, the function that ends watching it. */
  readonly #channels = new Map<string, () => void>()
  /** Frames to the current version, by start version and right. */
  readonly #frames = new Map<string, Buffer>()
  #state: State = { kind: 'idle' }
  #current: PageVersion | null = null
  /** What may have changed since it was read. */
  #stale = { page: false, channels: new Set<string>() }
  #page_read_at: number
  #activity_read_at: number
  #sent_at: number

  constructor(workspace_id: string, deps: LiveWorkspaceDeps, surroundings: Surroundings) {
    this.#id = workspace_id
    this.#deps = deps
    this.#surroundings = surroundings
    const now = deps.elapsed()
    this.#page_read_at = now
    this.#activity_read_at = now
    this.#sent_at = now
  }

  get viewers(): Viewer[] {
    return [...this.#viewers.keys()]
  }

  join(viewer: Viewer, right: Right): void {
    this.#viewers.set(viewer, right)
    this.#send(viewer, right)
  }

  /** The viewer's access was checked again. */
  setRight(viewer: Viewer, right: Right): void {
    const before = this.#viewers.get(viewer)
    if (!before) return
    this.#viewers.set(viewer, right)
    if (before.can_edit !== right.can_edit) this.#sendAll(viewer, right)
    else this.#send(viewer, right)
  }

  /** Anything on the page may have changed. */
  pageChanged(): void {
    this.#stale.page = true
    this.#wake()
  }

  /** The channel's cards may have changed. */
  channelGrew(channel_id: string): void {
    this.#stale.channels.add(channel_id)
    this.#wake()
  }

  deleted(): void {
    for (const viewer of this.viewers) viewer.close(CLOSE_DELETED, 'workspace deleted')
  }

  /** Once a second. */
  check(now: number): void {
    for (const viewer of this.viewers) viewer.check(now)
    if (now - this.#page_read_at > REREAD_PAGE_MS) this.pageChanged()
    else if (now - this.#activity_read_at > REREAD_ACTIVITY_MS) {
      this.#activity_read_at = now
      for (const channel_id of this.#channels.keys()) this.channelGrew(channel_id)
    }
    if (now - this.#sent_at < KEEP_ALIVE_MS) return
    this.#sent_at = now
    for (const viewer of this.viewers) viewer.keepAlive(PING_FRAME)
  }

  stop(): void {
    if (this.#state.kind === 'resting') clearTimeout(this.#state.timer)
    this.#state = { kind: 'closed' }
    for (const unwatch of this.#channels.values()) unwatch()
    this.#channels.clear()
  }

  /** Viewers of a workspace have nothing to say. */
  receive(): void {}

  drained(viewer: Viewer, version: number): void {
    // The viewer takes messages again, and gets those that it missed.
    viewer.admit([PING_FRAME], version)
    const right = this.#viewers.get(viewer)
    if (right) this.#send(viewer, right)
  }

  left(viewer: Viewer): void {
    this.#viewers.delete(viewer)
    if (this.#viewers.size === 0) this.#surroundings.abandoned()
  }

  #wake(): void {
    if (this.#state.kind !== 'idle') return
    this.#state = { kind: 'reading' }
    const began = performance.now()
    this.#update().then(interval => {
      const took = performance.now() - began
      this.#rest(Math.max(interval, READ_SHARE * took) - took)
    })
  }

  #rest(ms: number): void {
    if (this.#state.kind === 'closed') return
    const timer = setTimeout(() => {
      this.#state = { kind: 'idle' }
      if (this.#stale.page || this.#stale.channels.size > 0) this.#wake()
    }, ms)
    this.#state = { kind: 'resting', timer }
  }

  /** Reads what may have changed and sends it. Returns the shortest time between this read and the next. */
  async #update(): Promise<number> {
    const { page, channels } = this.#stale
    const before = this.#current
    // A change that is reported from here on may have come after the read.
    this.#stale = { page: false, channels: new Set() }
    try {
      await this.#read(page, channels)
    } catch (error) {
      this.#deps.log.warn({ err: error, workspace_id: this.#id }, 'could not read a workspace’s page')
      this.#stale.page = true
      return SEND_MS
    }
    return before && this.#current !== before ? SEND_MS : READ_MS
  }

  async #read(page: boolean, channels: Set<string>): Promise<void> {
    const current = this.#current
    if (page || !current) return this.#readPage()
    const listed = [...channels].filter(id => this.#channels.has(id))
    if (listed.length === 0) return
    const activity = await readActivity(this.#deps.sql, listed)
    this.#publish(afterActivity(current, activity))
    // A channel was deleted, and the notice was lost.
    if (activity.size < listed.length) this.pageChanged()
  }

  async #readPage(): Promise<void> {
    this.#page_read_at = this.#deps.elapsed()
    this.#activity_read_at = this.#page_read_at
    const unwatch = this.#surroundings.watchUnlisted()
    const read = await readWorkspacePage(this.#deps.sql, this.#id).finally(unwatch)
    if (read) this.#publish(afterPage(this.#current, read))
    else this.deleted()
  }

  #publish(version: PageVersion): void {
    if (this.#state.kind === 'closed' || version === this.#current) return
    this.#current = version
    this.#frames.clear()
    this.#watchChannels(version.activity)
    this.#sent_at = this.#deps.elapsed()
    for (const [viewer, right] of this.#viewers) this.#send(viewer, right)
  }

  #watchChannels(listed: Map<string, unknown>): void {
    for (const [id, unwatch] of this.#channels) {
      if (listed.has(id)) continue
      unwatch()
      this.#channels.delete(id)
    }
    for (const id of listed.keys()) {
      if (this.#channels.has(id)) continue
      this.#channels.set(id, this.#surroundings.watch(id))
      // No notice arrives of growth before the bus watched the channel.
      this.#stale.channels.add(id)
    }
  }

  /** Sends what the viewer doesn't know yet. */
  #send(viewer: Viewer, right: Right): void {
    const current = this.#visibleTo(right)
    if (!current) return
    if (viewer.state.kind === 'joining') return this.#sendAll(viewer, right)
    if (viewer.state.kind !== 'live' || viewer.state.version === current.version) return
    viewer.send(this.#frame(current, viewer.state.version, right.can_edit), current.version)
  }

  #sendAll(viewer: Viewer, right: Right): void {
    const current = this.#visibleTo(right)
    if (current) viewer.admit([this.#frame(current, 0, right.can_edit)], current.version)
  }

  /**
   * The current version, or null if access changed between its reading and the check of this viewer. A viewer that was
   * checked earlier is being checked again. For one that was checked later, the page is read again.
   */
  #visibleTo({ access_version }: Right): PageVersion | null {
    if (this.#current?.access_version === access_version) return this.#current
    if (!this.#current || this.#current.access_version < access_version) this.pageChanged()
    return null
  }

  /** From version `from` to the current one, in one frame: a viewer gets all of it or nothing. */
  #frame(current: PageVersion, from: number, can_edit: boolean): Buffer {
    const key = `${from} ${can_edit}`
    const known = this.#frames.get(key)
    if (known) return known
    const frame = Buffer.concat(messagesSince(current, from, can_edit).map(frameOf))
    this.#frames.set(key, frame)
    return frame
  }
}

const frameOf = (message: WorkspaceMessage) => webSocketFrame('text', Buffer.from(JSON.stringify(message)))
const PING_FRAME = frameOf({ type: 'ping' })
