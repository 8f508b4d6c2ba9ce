// The position of a client in a channel's events, written as the `id` of an event and read from Last-Event-ID.
import type { Sql } from '../database/connect.ts'
import { notFound } from '../errors.ts'
import type { ChannelFeed } from '../feed/channel-feed.ts'
import { lastInteraction } from '../model/interactions.ts'

/** In the log, `seq` and the `index` of an event in that turn (-1: the whole turn); `number`: the last interaction. */
export type EventPosition = { epoch: number; seq: number; index: number; number: number }

/** The position after everything that has happened. Throws 404 if the channel is gone. */
export async function latestPosition(sql: Sql, feed: ChannelFeed): Promise<EventPosition> {
  const number = await lastInteraction(sql, feed.channel_id)
  const head = feed.head ?? (await feed.refresh())
  if (!head) throw notFound('Channel')
  return { epoch: head.epoch, seq: head.seq, index: -1, number }
}

/** Where a stream starts: after Last-Event-ID, or at the latest position, with a reset if that id is unknown. */
export function startPosition(
  last_event_id: string | undefined,
  latest: EventPosition,
): { position: EventPosition; reset: boolean } {
  if (last_event_id === undefined) return { position: latest, reset: false }
  const given = parsePosition(last_event_id)
  const known = given !== null && given.number <= latest.number
  return known ? { position: given, reset: false } : { position: latest, reset: true }
}

export function writePosition({ epoch, seq, index, number }: EventPosition): string {
  return `${epoch}.${seq}.${index}.${number}`
}

function parsePosition(id: string): EventPosition | null {
  const [, epoch, seq, index, number] = /^(\d{1,9})\.(\d{1,15})\.(-1|\d{1,6})\.(\d{1,15})$/.exec(id) ?? []
  if (epoch === undefined) return null
  return { epoch: Number(epoch), seq: Number(seq), index: Number(index), number: Number(number) }
}
