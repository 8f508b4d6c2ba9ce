// The workspaces whose pages viewers of this instance have open.
import type { Bus } from '../bus/bus.ts'
import type { Audience, ViewerSocket } from '../feed/viewers/viewers.ts'
import { LiveWorkspace, type LiveWorkspaceDeps, type Right } from './live-workspace.ts'

const CHECK_MS = 1_000

export class LiveWorkspaces {
  readonly #deps: LiveWorkspaceDeps
  readonly #bus: Bus
  readonly #open = new Map<string, LiveWorkspace>()
  /** Open pages by the channels that they list. */
  readonly #listing = new Map<string, LiveWorkspace>()
  readonly #timer: NodeJS.Timeout

  constructor(deps: LiveWorkspaceDeps, bus: Bus) {
    this.#deps = deps
    this.#bus = bus
    this.#timer = setInterval(() => this.#check(), CHECK_MS)
  }

  watch(
    workspace_id: string,
    right: Right,
    createViewer: (audience: Audience) => ViewerSocket,
  ): ViewerSocket {
    const workspace = this.#open.get(workspace_id) ?? this.#begin(workspace_id)
    const viewer = createViewer(workspace)
    workspace.join(viewer, right)
    return viewer
  }

  setRight(workspace_id: string, viewer: ViewerSocket, right: Right): void {
    this.#open.get(workspace_id)?.setRight(viewer, right)
  }

  pageChanged(workspace_id: string): void {
    this.#open.get(workspace_id)?.pageChanged()
  }

  deleted(workspace_id: string): void {
    this.#open.get(workspace_id)?.deleted()
  }

  channelGrew(channel_id: string): void {
    this.#listing.get(channel_id)?.channelGrew(channel_id)
  }

  channelDeleted(channel_id: string): void {
    this.#listing.get(channel_id)?.pageChanged()
  }

  catchUp(): void {
    for (const workspace of this.#open.values()) workspace.pageChanged()
  }

  get viewers(): ViewerSocket[] {
    return [...this.#open.values()].flatMap(({ viewers }) => viewers)
  }

  stop(): void {
    clearInterval(this.#timer)
    for (const workspace of this.#open.values()) workspace.stop()
  }

  #begin(workspace_id: string): LiveWorkspace {
    const workspace: LiveWorkspace = new LiveWorkspace(workspace_id, this.#deps, {
      watch: channel_id => {
        this.#listing.set(channel_id, workspace)
        const unwatch = this.#bus.watch(channel_id)
        return () => {
          this.#listing.delete(channel_id)
          unwatch()
        }
      },
      onLastViewerLeft: () => {
        workspace.stop()
        this.#open.delete(workspace_id)
      },
    })
    this.#open.set(workspace_id, workspace)
    return workspace
  }

  #check(): void {
    if (!this.#bus.connected) this.catchUp()
    const now = this.#deps.elapsed()
    for (const workspace of this.#open.values()) workspace.check(now)
  }
}
