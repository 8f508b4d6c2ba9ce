// A workspace's page that is open here: read when it may have changed, and told as far as it did.
// However much happens it is read about once a second: the first change at once, what follows together.
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
  now: () => number
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

const WINDOW_MS = 1_000
const KEEP_ALIVE_MS = 20_000
/** A lost notice would not be missed by a later one: nothing shown is older than this. */
const REREAD_MS = 60_000

/** `resting`: the second after a reading is not over. */
type State =
  | { kind: 'idle' }
  | { kind: 'reading' }
  | { kind: 'resting'; timer: NodeJS.Timeout }
  | { kind: 'closed' }

export class WatchedWorkspace implements Audience {
  readonly #id: string
  readonly #deps: WatchedWorkspaceDeps
  readonly #surroundings: Surroundings
  /** Each with its right to edit. */
  readonly #viewers = new Map<Viewer, boolean>()
  /** For each channel that the page lists: listens no more. */
  readonly #channels = new Map<string, () => void>()
  /** Frames made for the version that is shown. */
  readonly #frames = new Map<string, Buffer>()
  #state: State = { kind: 'idle' }
  #shown: Shown | null = null
  /** What may have changed since it was read. */
  #stale = { page: true, channels: new Set<string>() }
  #read_at: number
  #spoke_at: number

  constructor(workspace_id: string, deps: WatchedWorkspaceDeps, surroundings: Surroundings) {
    this.#id = workspace_id
    this.#deps = deps
    this.#surroundings = surroundings
    this.#read_at = deps.now()
    this.#spoke_at = deps.now()
  }

  get viewers(): Viewer[] {
    return [...this.#viewers.keys()]
  }

  join(viewer: Viewer, can_edit: boolean): void {
    this.#viewers.set(viewer, can_edit)
    if (this.#shown) this.#tellAll(viewer, can_edit, this.#shown)
    else this.#wake()
  }

  /** The viewer's rights were looked at again. */
  judged(viewer: Viewer, can_edit: boolean): void {
    const before = this.#viewers.get(viewer)
    if (before === undefined || before === can_edit) return
    this.#viewers.set(viewer, can_edit)
    if (this.#shown) this.#tellAll(viewer, can_edit, this.#shown)
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

  /** The workspace is gone. */
  deleted(): void {
    for (const viewer of this.viewers) viewer.close(CLOSE_DELETED, 'workspace deleted')
  }

  /** Once a second. */
  check(now: number): void {
    for (const viewer of this.viewers) viewer.check(now)
    if (now - this.#read_at > REREAD_MS) this.touched()
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
  heard(): void {}

  drained(viewer: Viewer, version: number): void {
    const shown = this.#shown
    const can_edit = this.#viewers.get(viewer)
    if (!shown || can_edit === undefined) return
    const missed = version === shown.version ? PING_FRAME : this.#frame(shown, version, can_edit)
    viewer.admit(missed, shown.version)
  }

  left(viewer: Viewer): void {
    this.#viewers.delete(viewer)
    if (this.#viewers.size === 0) this.#surroundings.left()
  }

  #wake(): void {
    if (this.#state.kind !== 'idle') return
    this.#state = { kind: 'reading' }
    const began = performance.now()
    const stale = this.#stale
    // What is told from here on may have come after the reading.
    this.#stale = { page: false, channels: new Set() }
    this.#read(stale.page, stale.channels)
      .catch(error => {
        this.#deps.log.warn({ err: error, workspace_id: this.#id }, 'could not read a workspace’s page')
        this.#stale.page = true
      })
      .finally(() => this.#rest(WINDOW_MS - (performance.now() - began)))
  }

  #rest(ms: number): void {
    if (this.#state.kind === 'closed') return
    const timer = setTimeout(() => {
      this.#state = { kind: 'idle' }
      if (this.#stale.page || this.#stale.channels.size > 0) this.#wake()
    }, ms)
    this.#state = { kind: 'resting', timer }
  }

  async #read(page: boolean, channels: Set<string>): Promise<void> {
    const shown = this.#shown
    if (page || !shown) return this.#readPage()
    const listed = [...channels].filter(id => this.#channels.has(id))
    if (listed.length > 0) this.#show(afterActivity(shown, await this.#deps.readActivity(listed)))
  }

  async #readPage(): Promise<void> {
    this.#read_at = this.#deps.now()
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
    this.#spoke_at = this.#deps.now()
    for (const [viewer, can_edit] of this.#viewers) {
      if (viewer.state.kind === 'joining') this.#tellAll(viewer, can_edit, shown)
      else viewer.send(this.#frame(shown, shown.version - 1, can_edit), shown.version)
    }
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

  #tellAll(viewer: Viewer, can_edit: boolean, shown: Shown): void {
    viewer.admit(this.#frame(shown, 0, can_edit), shown.version)
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
