// What instances tell each other. The bus may lose, repeat and reorder; the log and the tables decide.

/** Rights that changed. Whoever holds a socket, a stream or a cached key of theirs judges it again. */
export type AccessChange =
  | { kind: 'key_ended'; key_id: string }
  | { kind: 'session_ended'; session_id: string }
  | { kind: 'workspace_changed'; workspace_id: string }
  | { kind: 'workspace_deleted'; workspace_id: string }
  | { kind: 'channel_deleted'; channel_id: string }

export type Notice =
  /** A document has grown to `seq`. */
  | { kind: 'grown'; channel_id: string; epoch: number; seq: number }
  /** Someone acted in a channel. */
  | { kind: 'interacted'; channel_id: string }
  /** Something changed that the workspace's page shows, other than its cards. */
  | { kind: 'workspace_touched'; workspace_id: string }
  | AccessChange

export type Bus = {
  /** Tells the other instances, soon; what is told at once is sent together. */
  tell(notice: Notice): void
  /** Asks for the growth of this channel, until the returned function is called. */
  watch(channel_id: string): () => void
  /** True while notices of others arrive. While false, what is cached must not be trusted for long. */
  readonly connected: boolean
  stop(): Promise<void>
}

export type BusEvents = {
  heard: (notice: Notice) => void
  /** Notices may have been missed: ask the log about everything that is watched. */
  gap: (connected: boolean) => void
}
