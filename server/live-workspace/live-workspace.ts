// A workspace's page that viewers of this instance have open. The page is read again when it may have changed. Viewers get
// the first change at once, and changes within the next second together.
import type { Logger } from 'pino'
import { CLOSE_DELETED } from '../../shared/close-codes.ts'
import type { WorkspaceMessage } from '../../shared/workspace-live.ts'
import type { Sql } from '../database/connect.ts'
import type { Audience, ViewerSocket } from '../feed/viewers/viewers.ts'
import { webSocketFrame } from '../feed/viewers/web-socket-frame.ts'
import { type PageViewer, readActivity, readWorkspacePage } from '../model/workspace-page.ts'
import {
  afterActivity,
  afterPage,
  groupOf,
  listedOn,
  messagesSince,
  type PageVersion,
} from './page-versions.ts'

export type LiveWorkspaceDeps = { sql: Sql; log: Logger; elapsed: () => number }

/** Implemented by `LiveWorkspaces`. */
type Surroundings = {
  /** Reports growth and deletion of a listed channel, until the returned function is called. */
  watch: (channel_id: string) => () => void
  onLastViewerLeft: () => void
}

/** The shortest time between two reads, after a read that found a change and after one that didn't. */
const CHANGED_MS = 1_000
const UNCHANGED_MS = 250
/** Reads take at most half of the time, which spares a slow database. */
const READ_SHARE = 2
const KEEP_ALIVE_MS = 20_000
/** Notices can be lost, so activity and page are read again this often even without one. */
const REREAD_ACTIVITY_MS = 5_000
const REREAD_PAGE_MS = 60_000

type State =
  | { kind: 'idle' }
  | { kind: 'reading' }
  | { kind: 'resting'; timer: NodeJS.Timeout }
  | { kind: 'closed' }

export type Right = PageViewer & { access_version: number }

export class LiveWorkspace implements Audience {
  readonly #id: string
  readonly #deps: LiveWorkspaceDeps
  readonly #surroundings: Surroundings
  readonly #viewers = new Map<ViewerSocket, Right>()
  readonly #unwatch_by_channel = new Map<string, () => void>()
  /** Frames to the current version, by start version and group of viewers. */
  readonly #frames = new Map<string, Buffer>()
  #listed: ReadonlySet<string> = new Set()
  #state: State = { kind: 'idle' }
  #current: PageVersion | null = null
  /** Parts that may have changed since they were read. */
  #stale = { page: false, channels: new Set<string>() }
  #page_read_at: number
  #activity_read_at: number
  #sent_at: number

  constructor(workspace_id: string, deps: LiveWorkspaceDeps, surroundings: Surroundings) {
    this.#id = workspace_id
    this.#deps = deps
    this.#surroundings = surroundings
    this.#page_read_at = this.#activity_read_at = this.#sent_at = deps.elapsed()
  }

  get viewers(): ViewerSocket[] {
    return [...this.#viewers.keys()]
  }

  join(viewer: ViewerSocket, right: Right): void {
    this.#viewers.set(viewer, right)
    this.#send(viewer, right)
  }

  setRight(viewer: ViewerSocket, right: Right): void {
    const before = this.#viewers.get(viewer)
    if (!before) return
    this.#viewers.set(viewer, right)
    const group = (of: Right) => groupOf(of, this.#listed)
    this.#send(viewer, right, group(before) !== group(right))
  }

  pageChanged(): void {
    this.#stale.page = true
    this.#wake()
  }

  channelGrew(channel_id: string): void {
    this.#stale.channels.add(channel_id)
    this.#wake()
  }

  deleted(): void {
    for (const viewer of this.viewers) viewer.close(CLOSE_DELETED, 'workspace deleted')
  }

  check(now: number): void {
    for (const viewer of this.viewers) viewer.check(now)
    if (now - this.#page_read_at > REREAD_PAGE_MS) this.pageChanged()
    else if (now - this.#activity_read_at > REREAD_ACTIVITY_MS) {
      this.#activity_read_at = now
      for (const channel_id of this.#unwatch_by_channel.keys()) this.channelGrew(channel_id)
    }
    if (now - this.#sent_at < KEEP_ALIVE_MS) return
    this.#sent_at = now
    for (const viewer of this.viewers) viewer.keepAlive(PING_FRAME)
  }

  stop(): void {
    if (this.#state.kind === 'resting') clearTimeout(this.#state.timer)
    this.#state = { kind: 'closed' }
    for (const unwatch of this.#unwatch_by_channel.values()) unwatch()
    this.#unwatch_by_channel.clear()
  }

  /** Viewers of a workspace send nothing. */
  receive(): void {}

  drained(viewer: ViewerSocket, version: number): void {
    viewer.admit([PING_FRAME], version)
    const right = this.#viewers.get(viewer)
    if (right) this.#send(viewer, right)
  }

  left(viewer: ViewerSocket): void {
    this.#viewers.delete(viewer)
    if (this.#viewers.size === 0) this.#surroundings.onLastViewerLeft()
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

  /** Reads stale parts and sends changes. Returns the shortest time from this read to the next. */
  async #update(): Promise<number> {
    const { page, channels } = this.#stale
    const before = this.#current
    // Changes that are reported from here on may be missing from the read.
    this.#stale = { page: false, channels: new Set() }
    try {
      await this.#read(page, channels)
    } catch (error) {
      this.#deps.log.warn({ err: error, workspace_id: this.#id }, 'could not read a workspace’s page')
      this.#stale.page = true
      return CHANGED_MS
    }
    return before && this.#current !== before ? CHANGED_MS : UNCHANGED_MS
  }

  async #read(page: boolean, channels: Set<string>): Promise<void> {
    const current = this.#current
    if (page || !current) return this.#readPage()
    const listed = [...channels].filter(id => this.#unwatch_by_channel.has(id))
    if (listed.length === 0) return
    const activity = await readActivity(this.#deps.sql, listed)
    this.#publish(afterActivity(current, activity))
    // A channel was deleted without a notice.
    if (activity.size < listed.length) this.pageChanged()
  }

  async #readPage(): Promise<void> {
    this.#page_read_at = this.#activity_read_at = this.#deps.elapsed()
    const read = await readWorkspacePage(this.#deps.sql, this.#id)
    if (read) this.#publish(afterPage(this.#current, read))
    else this.deleted()
  }

  #publish(version: PageVersion): void {
    if (this.#state.kind === 'closed' || version === this.#current) return
    this.#current = version
    this.#listed = listedOn(version)
    this.#frames.clear()
    this.#watchChannels(version.activity)
    this.#sent_at = this.#deps.elapsed()
    for (const [viewer, right] of this.#viewers) this.#send(viewer, right)
  }

  #watchChannels(listed: Map<string, unknown>): void {
    for (const [id, unwatch] of this.#unwatch_by_channel) {
      if (listed.has(id)) continue
      unwatch()
      this.#unwatch_by_channel.delete(id)
    }
    for (const id of listed.keys()) {
      if (this.#unwatch_by_channel.has(id)) continue
      this.#unwatch_by_channel.set(id, this.#surroundings.watch(id))
      // The channel may have grown, or have been deleted, before it was watched.
      this.#stale.channels.add(id)
    }
  }

  #send(viewer: ViewerSocket, right: Right, all = false): void {
    const current = this.#current
    // If the viewer's right is older than the page, it is being checked again.
    if (!current || current.access_version < right.access_version) return this.pageChanged()
    if (current.access_version > right.access_version) return
    if (all || viewer.state.kind === 'joining')
      return viewer.admit([this.#frame(current, 0, right)], current.version)
    if (viewer.state.kind !== 'live' || viewer.state.version === current.version) return
    const frame = this.#frame(current, viewer.state.version, right)
    // Nothing changed that this viewer may see.
    if (frame.length > 0) viewer.send(frame, current.version)
  }

  /** All messages in one frame, so that a viewer gets all of them or none. */
  #frame(current: PageVersion, from: number, right: Right): Buffer {
    const key = `${from} ${groupOf(right, this.#listed)}`
    const known = this.#frames.get(key)
    if (known) return known
    const frame = Buffer.concat(messagesSince(current, from, right).map(frameOf))
    this.#frames.set(key, frame)
    return frame
  }
}

const frameOf = (message: WorkspaceMessage) => webSocketFrame('text', Buffer.from(JSON.stringify(message)))
const PING_FRAME = frameOf({ type: 'ping' })
