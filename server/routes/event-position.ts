// A client's position in a channel's events: the `id` of an event, and Last-Event-ID.
import type { Sql } from '../database/connect.ts'
import { notFound } from '../errors.ts'
import type { OpenChannel } from '../feed/open-channel.ts'
import { lastInteraction } from '../model/interactions.ts'

/** `index`: the event within the turn `seq` (-1: the whole turn). `number`: the last interaction. */
export type EventPosition = { epoch: number; seq: number; index: number; number: number }

/** The position after all events. Throws 404 if the channel is deleted. */
export async function latestPosition(sql: Sql, feed: OpenChannel): Promise<EventPosition> {
  const number = await lastInteraction(sql, feed.channel_id)
  const log_head = feed.log_head ?? (await feed.refresh())
  if (!log_head) throw notFound('Channel')
  return { epoch: log_head.epoch, seq: log_head.seq, index: -1, number }
}

/** A stream starts after Last-Event-ID. Without one, or with an unknown one (`reset`), it starts at the latest position. */
export function startPosition(
  last_event_id: string | undefined,
  latest: EventPosition,
): { position: EventPosition; reset: boolean } {
  const given = last_event_id === undefined ? latest : parsePosition(last_event_id)
  const known = given !== null && given.number <= latest.number
  return { position: known ? given : latest, reset: !known }
}

export function writePosition({ epoch, seq, index, number }: EventPosition): string {
  return `${epoch}.${seq}.${index}.${number}`
}

function parsePosition(id: string): EventPosition | null {
  const [, epoch, seq, index, number] = /^(\d{1,9})\.(\d{1,15})\.(-1|\d{1,6})\.(\d{1,15})$/.exec(id) ?? []
  if (epoch === undefined) return null
  return { epoch: Number(epoch), seq: Number(seq), index: Number(index), number: Number(number) }
}
