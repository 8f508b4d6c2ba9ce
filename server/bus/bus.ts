// The notices that instances send each other. The bus may lose, repeat and reorder them: the log and the tables decide.
import type { Logger } from 'pino'
import { z } from 'zod'
import type { ConnectTarget, Sql } from '../database/connect.ts'

const id = z.string()

/** Instances check the sockets, open requests and cached rights that depend on the change again. */
export const accessChange = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('key_ended'), key_id: id }),
  z.object({ kind: z.literal('session_ended'), session_id: id }),
  /** The role that the person has in the workspace, or had. */
  z.object({ kind: z.literal('member_changed'), workspace_id: id, user_id: id }),
  z.object({ kind: z.literal('workspace_changed'), workspace_id: id }),
  z.object({ kind: z.literal('workspace_deleted'), workspace_id: id }),
  z.object({ kind: z.literal('channel_deleted'), channel_id: id }),
])

export const notice = z.discriminatedUnion('kind', [
  /** A document's log now ends at `seq`. An instance that has the turn before needs only `turn`, and not the log. */
  z.object({
    kind: z.literal('grown'),
    channel_id: id,
    epoch: z.number(),
    seq: z.number(),
    turn: z
      .object({
        clock: z.number(),
        next_position: z.number(),
        card_count: z.number(),
        update: z.custom<Uint8Array>(value => value instanceof Uint8Array),
      })
      .optional(),
  }),
  /** The channel has a new interaction, or a delivery to its webhook ended. */
  z.object({ kind: z.literal('interacted'), channel_id: id }),
  z.object({ kind: z.literal('workspace_touched'), workspace_id: id }),
  ...accessChange.options,
])

export type BusNotice = z.output<typeof notice>
export type GrownNotice = Extract<BusNotice, { kind: 'grown' }>
/** Only the instances that watch the channel need these. */
export type ChannelNotice = Extract<BusNotice, { kind: 'grown' | 'interacted' }>
export type AccessChange = z.output<typeof accessChange>

export type Bus = {
  /** Sends a notice to the other instances soon. Never waits, never throws. */
  publish(notice: BusNotice): void
  watch(channel_id: string): () => void
  /** True while other instances' notices arrive. Otherwise, cached access must not be trusted for long. */
  readonly connected: boolean
  stop(): Promise<void>
}

export type BusOptions = { sql: Sql; target: ConnectTarget; events: BusEvents; log: Logger }

export type BusEvents = {
  receive: (notice: BusNotice) => void
  /** Notices may have been missed: read the log of everything that is watched. */
  gap: (connected: boolean) => void
  /** Notices of these channels arrive from now on. Earlier ones may have been missed: read the log. */
  watching: (channel_ids: string[]) => void
}

export function withoutTurn({ turn: _, ...notice }: GrownNotice): GrownNotice {
  return notice
}
