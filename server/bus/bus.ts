// What instances tell each other. The bus may lose, repeat and reorder; the log and the tables decide.
import { z } from 'zod'

const id = z.string()

/** What a turn did to its document: with it an instance that knows the turn before need not read the log. */
const toldTurn = z.object({
  /** The document's Yjs clock after the turn. */
  clock: z.number(),
  next_position: z.number(),
  card_count: z.number(),
  update: z.custom<Uint8Array>(value => value instanceof Uint8Array),
})

/** Rights that changed. Instances judge the sockets, streams and cached keys that depend on them again. */
export const accessChange = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('key_ended'), key_id: id }),
  z.object({ kind: z.literal('session_ended'), session_id: id }),
  z.object({ kind: z.literal('workspace_changed'), workspace_id: id }),
  z.object({ kind: z.literal('workspace_deleted'), workspace_id: id }),
  z.object({ kind: z.literal('channel_deleted'), channel_id: id }),
])

export const notice = z.discriminatedUnion('kind', [
  /** A document has grown to `seq`. Without the turn it is read from the log. */
  z.object({
    kind: z.literal('grown'),
    channel_id: id,
    epoch: z.number(),
    seq: z.number(),
    turn: toldTurn.optional(),
  }),
  /** Someone acted in a channel. */
  z.object({ kind: z.literal('interacted'), channel_id: id }),
  /** Something changed that the workspace's page shows, other than its cards. */
  z.object({ kind: z.literal('workspace_touched'), workspace_id: id }),
  ...accessChange.options,
])

export type Notice = z.output<typeof notice>
export type ToldTurn = z.output<typeof toldTurn>
export type Grown = Extract<Notice, { kind: 'grown' }>
/** Of one channel, and heard only where it is watched. */
export type ChannelNotice = Extract<Notice, { kind: 'grown' | 'interacted' }>
export type AccessChange = z.output<typeof accessChange>

export type Bus = {
  /** Tells the other instances, soon; what is told at once is sent together. Never waits, never throws. */
  tell(notice: Notice): void
  /** Asks for the growth of this channel, and for what people do in it; returns the end of that. */
  watch(channel_id: string): () => void
  /** True while notices of others arrive. While false, what is cached must not be trusted for long. */
  readonly connected: boolean
  stop(): Promise<void>
}

export type BusEvents = {
  heard: (notice: Notice) => void
  /** Notices may have been missed: ask the log about everything that is watched. */
  gap: (connected: boolean) => void
  /** Notices of these channels arrive from now on. What came before may have been missed: ask the log. */
  watching: (channel_ids: string[]) => void
}
