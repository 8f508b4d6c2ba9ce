// The workspaces whose pages are open on this instance. What happens in all others costs a look into a map.
import type { Bus } from '../bus/bus.ts'
import type { Audience, Viewer } from './viewer.ts'
import { type Right, WatchedWorkspace, type WatchedWorkspaceDeps } from './watched-workspace.ts'

const CHECK_MS = 1_000

export class WatchedWorkspaces {
  readonly #deps: WatchedWorkspaceDeps
  readonly #bus: () => Bus
  readonly #open = new Map<string, WatchedWorkspace>()
  /** The open page that lists a channel. */
  readonly #listing = new Map<string, WatchedWorkspace>()
  /** Pages whose list of channels is being read. */
  readonly #reading = new Set<WatchedWorkspace>()
  readonly #timer: NodeJS.Timeout

  /** `bus` is asked late, since the bus itself brings notices here. */
  constructor(deps: WatchedWorkspaceDeps, bus: () => Bus) {
    this.#deps = deps
    this.#bus = bus
    this.#timer = setInterval(() => this.#check(), CHECK_MS)
  }

  /** Lets a viewer in, who is told the page whole and then what changes. */
  watch(workspace_id: string, right: Right, viewer: (audience: Audience) => Viewer): Viewer {
    const workspace = this.#open.get(workspace_id) ?? this.#begin(workspace_id)
    const watching = viewer(workspace)
    workspace.join(watching, right)
    return watching
  }

  /** The viewer's right was decided anew. */
  judged(workspace_id: string, viewer: Viewer, right: Right): void {
    this.#open.get(workspace_id)?.judged(viewer, right)
  }

  /** Anything of the workspace's page may have changed, here or elsewhere. */
  touched(workspace_id: string): void {
    this.#open.get(workspace_id)?.touched()
  }

  deleted(workspace_id: string): void {
    this.#open.get(workspace_id)?.deleted()
  }

  /** A channel's log has grown, here or elsewhere. */
  grew(channel_id: string): void {
    for (const workspace of this.#shownIn(channel_id)) workspace.grew(channel_id)
  }

  channelDeleted(channel_id: string): void {
    for (const workspace of this.#shownIn(channel_id)) workspace.touched()
  }

  /** Notices may be missing. */
  catchUp(): void {
    for (const workspace of this.#open.values()) workspace.touched()
  }

  get viewers(): Viewer[] {
    return [...this.#open.values()].flatMap(({ viewers }) => viewers)
  }

  stop(): void {
    clearInterval(this.#timer)
    for (const workspace of this.#open.values()) workspace.stop()
  }

  #shownIn(channel_id: string): Iterable<WatchedWorkspace> {
    const workspace = this.#listing.get(channel_id)
    return workspace ? [workspace] : this.#reading
  }

  #begin(workspace_id: string): WatchedWorkspace {
    const workspace: WatchedWorkspace = new WatchedWorkspace(workspace_id, this.#deps, {
      listen: channel_id => {
        this.#listing.set(channel_id, workspace)
        const unwatch = this.#bus().watch(channel_id)
        return () => {
          this.#listing.delete(channel_id)
          unwatch()
        }
      },
      listenAround: () => {
        this.#reading.add(workspace)
        return () => this.#reading.delete(workspace)
      },
      left: () => {
        workspace.stop()
        this.#open.delete(workspace_id)
      },
    })
    this.#open.set(workspace_id, workspace)
    return workspace
  }

  #check(): void {
    // Without the bus the database is asked, for what is watched.
    if (!this.#bus().connected) this.catchUp()
    const now = this.#deps.elapsed()
    for (const workspace of this.#open.values()) workspace.check(now)
  }
}
