// A workspace's page that is open here: read when it may have changed, and told as far as it did.
// The first change is told at once, those that follow within a second together, however much happens.
import type { Logger } from 'pino'
import { CLOSE_DELETED } from '../../shared/close-codes.ts'
import type { ChannelActivity, WorkspaceMessage } from '../../shared/workspace-live.ts'
import { afterActivity, afterPage, messagesSince, type PageRead, type Shown } from './shown-workspace.ts'
import type { Audience, Viewer } from './viewer.ts'
import { webSocketFrame } from './web-socket-frame.ts'

export type WatchedWorkspaceDeps = {
  /** null: the workspace is gone. */
  readPage: (workspace_id: string) => Promise<PageRead | null>
  /** Where these channels stand, which costs less than the page. Those that are gone are left out. */
  readActivity: (channel_ids: string[]) => Promise<Map<string, ChannelActivity>>
  log: Logger
  /** Milliseconds as `performance.now()`; tests look ahead. */
  elapsed: () => number
}

/** What surrounds it: the other open pages of this instance, and the bus. */
export type Surroundings = {
  /** Asks for the growth and the deletion of a channel, until the returned function is called. */
  listen: (channel_id: string) => () => void
  /** The same of every channel that no page lists: this one's list is being read. */
  listenAround: () => () => void
  /** Nobody watches any more. */
  left: () => void
}

/** Viewers are told so often at the most. */
const TOLD_MS = 1_000
/** Where a reading found nothing to tell, the next one may come sooner. */
const READ_MS = 250
/** A slow database is left alone for at least as long as it took. */
const ROUND_SHARE = 2
const KEEP_ALIVE_MS = 20_000
/** Notices can be lost with the instance that sent them: nothing shown of the channels' cards is older than this. */
const REREAD_ACTIVITY_MS = 5_000
/** The same of everything else on the page. */
const REREAD_MS = 60_000

/** `resting`: the time after a reading is not over. */
type State =
  | { kind: 'idle' }
  | { kind: 'reading' }
  | { kind: 'resting'; timer: NodeJS.Timeout }
  | { kind: 'closed' }

/** What a viewer may, as it was decided at an access_version. */
export type Right = { can_edit: boolean; access_version: number }

export class WatchedWorkspace implements Audience {
  readonly #id: string
  readonly #deps: WatchedWorkspaceDeps
  readonly #surroundings: Surroundings
  readonly #viewers = new Map<Viewer, Right>()
  /** For each channel that the page lists: listens no more. */
  readonly #channels = new Map<string, () => void>()
  /** Frames made for the version that is shown. */
  readonly #frames = new Map<string, Buffer>()
  #state: State = { kind: 'idle' }
  #shown: Shown | null = null
  /** What may have changed since it was read. */
  #stale = { page: false, channels: new Set<string>() }
  #read_at: number
  #activity_read_at: number
  #spoke_at: number

  constructor(workspace_id: string, deps: WatchedWorkspaceDeps, surroundings: Surroundings) {
    this.#id = workspace_id
    this.#deps = deps
    this.#surroundings = surroundings
    this.#read_at = deps.elapsed()
    this.#activity_read_at = deps.elapsed()
    this.#spoke_at = deps.elapsed()
  }

  get viewers(): Viewer[] {
    return [...this.#viewers.keys()]
  }

  join(viewer: Viewer, right: Right): void {
    this.#viewers.set(viewer, right)
    this.#tell(viewer, right)
  }

  /** The viewer's right was decided anew. */
  judged(viewer: Viewer, right: Right): void {
    const before = this.#viewers.get(viewer)
    if (!before) return
    this.#viewers.set(viewer, right)
    if (before.can_edit !== right.can_edit) this.#tellAll(viewer, right)
    else this.#tell(viewer, right)
  }

  /** Anything of the page may have changed. */
  touched(): void {
    this.#stale.page = true
    this.#wake()
  }

  /** Cards of the channel may have come or gone. */
  grew(channel_id: string): void {
    this.#stale.channels.add(channel_id)
    this.#wake()
  }

  #growAll(): void {
    this.#activity_read_at = this.#deps.elapsed()
    for (const channel_id of this.#channels.keys()) this.grew(channel_id)
  }

  /** The workspace is gone. */
  deleted(): void {
    for (const viewer of this.viewers) viewer.close(CLOSE_DELETED, 'workspace deleted')
  }

  /** Once a second. */
  check(now: number): void {
    for (const viewer of this.viewers) viewer.check(now)
    if (now - this.#read_at > REREAD_MS) this.touched()
    else if (now - this.#activity_read_at > REREAD_ACTIVITY_MS) this.#growAll()
    if (now - this.#spoke_at < KEEP_ALIVE_MS) return
    this.#spoke_at = now
    for (const viewer of this.viewers) viewer.keepAlive(PING_FRAME)
  }

  stop(): void {
    if (this.#state.kind === 'resting') clearTimeout(this.#state.timer)
    this.#state = { kind: 'closed' }
    for (const listenNoMore of this.#channels.values()) listenNoMore()
    this.#channels.clear()
  }

  /** Viewers have nothing to say. */
  receive(): void {}

  drained(viewer: Viewer, version: number): void {
    // It takes messages again. Those that it missed follow.
    viewer.admit([PING_FRAME], version)
    const right = this.#viewers.get(viewer)
    if (right) this.#tell(viewer, right)
  }

  left(viewer: Viewer): void {
    this.#viewers.delete(viewer)
    if (this.#viewers.size === 0) this.#surroundings.left()
  }

  #wake(): void {
    if (this.#state.kind !== 'idle') return
    this.#state = { kind: 'reading' }
    const began = performance.now()
    this.#turn().then(pause => {
      const took = performance.now() - began
      this.#rest(Math.max(pause, ROUND_SHARE * took) - took)
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

  /** Reads what may have changed and tells it. Returns how long after its beginning the next one may begin. */
  async #turn(): Promise<number> {
    const { page, channels } = this.#stale
    const before = this.#shown
    // What is told from here on may have come after the reading.
    this.#stale = { page: false, channels: new Set() }
    try {
      await this.#read(page, channels)
    } catch (error) {
      this.#deps.log.warn({ err: error, workspace_id: this.#id }, 'could not read a workspace’s page')
      this.#stale.page = true
      return TOLD_MS
    }
    return before && this.#shown !== before ? TOLD_MS : READ_MS
  }

  async #read(page: boolean, channels: Set<string>): Promise<void> {
    const shown = this.#shown
    if (page || !shown) return this.#readPage()
    const listed = [...channels].filter(id => this.#channels.has(id))
    if (listed.length === 0) return
    const activity = await this.#deps.readActivity(listed)
    this.#show(afterActivity(shown, activity))
    // A channel was deleted, and nobody said so.
    if (activity.size < listed.length) this.touched()
  }

  async #readPage(): Promise<void> {
    this.#read_at = this.#deps.elapsed()
    this.#activity_read_at = this.#read_at
    const listenNoMore = this.#surroundings.listenAround()
    const read = await this.#deps.readPage(this.#id).finally(listenNoMore)
    if (read) this.#show(afterPage(this.#shown, read))
    else this.deleted()
  }

  #show(shown: Shown): void {
    if (this.#state.kind === 'closed' || shown === this.#shown) return
    this.#shown = shown
    this.#frames.clear()
    this.#listenTo(shown.activity)
    this.#spoke_at = this.#deps.elapsed()
    for (const [viewer, right] of this.#viewers) this.#tell(viewer, right)
  }

  #listenTo(listed: Map<string, unknown>): void {
    for (const [id, listenNoMore] of this.#channels) {
      if (listed.has(id)) continue
      listenNoMore()
      this.#channels.delete(id)
    }
    for (const id of listed.keys()) {
      if (this.#channels.has(id)) continue
      this.#channels.set(id, this.#surroundings.listen(id))
      // Where it grew before the bus listened for it, nobody says so.
      this.#stale.channels.add(id)
    }
  }

  /** What the viewer does not know yet. */
  #tell(viewer: Viewer, right: Right): void {
    const shown = this.#mayBeTold(right)
    if (!shown) return
    if (viewer.state.kind === 'joining') return this.#tellAll(viewer, right)
    if (viewer.state.kind !== 'live' || viewer.state.version === shown.version) return
    viewer.send(this.#frame(shown, viewer.state.version, right.can_edit), shown.version)
  }

  #tellAll(viewer: Viewer, right: Right): void {
    const shown = this.#mayBeTold(right)
    if (shown) viewer.admit([this.#frame(shown, 0, right.can_edit)], shown.version)
  }

  /**
   * What is shown, or null: who was let in before it may not be told what came after access changed, nor who was let
   * in after it what was before. The former are judged again, for the latter the page is read again.
   */
  #mayBeTold({ access_version }: Right): Shown | null {
    if (this.#shown?.access_version === access_version) return this.#shown
    if (!this.#shown || this.#shown.access_version < access_version) this.touched()
    return null
  }

  /** What leads from version `from` to the one that is shown, in one piece: a viewer gets all of it or none. */
  #frame(shown: Shown, from: number, can_edit: boolean): Buffer {
    const name = `${from} ${can_edit}`
    const known = this.#frames.get(name)
    if (known) return known
    const frame = Buffer.concat(messagesSince(shown, from, can_edit).map(frameOf))
    this.#frames.set(name, frame)
    return frame
  }
}

const frameOf = (message: WorkspaceMessage) => webSocketFrame('text', Buffer.from(JSON.stringify(message)))
const PING_FRAME = frameOf({ type: 'ping' })
