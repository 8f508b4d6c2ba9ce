// The files of a run, as the checkers read them.
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { TappedTurn } from '../cluster/tap.ts'
import type { Tried } from '../load/posters.ts'
import type { Delivered } from '../load/receiver.ts'
import { DELIVERIES, HISTORY, LOST, MARKS, RECEIVER, STREAMS, TAP, VIEWERS } from '../load/scene.ts'
import type { Heard } from '../load/streams.ts'
import type { Seen } from '../load/viewers.ts'
import { readJsonLines } from '../records.ts'
import type { Mark, StoredDelivery } from '../run.ts'

/** A broken promise. `promise` is its number. */
export type Finding = { promise: string; message: string }

export type Files = {
  tried: Tried[]
  /** In the order of the log, by channel. */
  turns: TappedTurn[]
  /** The ids of the turns that the database lacks at the end. */
  lost_ids: Set<string>
  seen: Seen[]
  heard: Heard[]
  delivered: Delivered[]
  deliveries: StoredDelivery[]
  marks: Mark[]
}

export async function readFiles(folder: string): Promise<Files> {
  const read = <T>(name: string) => readJsonLines<T>(join(folder, name))
  const turns = await read<TappedTurn>(TAP)
  return {
    tried: await read<Tried>(HISTORY),
    lost_ids: new Set<string>(JSON.parse(await readFile(join(folder, LOST), 'utf8').catch(() => '[]'))),
    turns: turns.sort((a, b) => a.epoch - b.epoch || a.seq - b.seq || a.n - b.n),
    seen: await read<Seen>(VIEWERS),
    heard: await read<Heard>(STREAMS),
    delivered: await read<Delivered>(RECEIVER),
    deliveries: await read<StoredDelivery>(DELIVERIES),
    marks: await read<Mark>(MARKS),
  }
}

export function byChannel<T extends { channel_id: string }>(rows: T[]): Map<string, T[]> {
  const channels = new Map<string, T[]>()
  for (const row of rows) {
    const list = channels.get(row.channel_id)
    if (list) list.push(row)
    else channels.set(row.channel_id, [row])
  }
  return channels
}

/** When a phase began; infinity if it never did. */
export function phaseOf(marks: Mark[], phase: Extract<Mark, { kind: 'phase' }>['phase']): number {
  const mark = marks.find(mark => mark.kind === 'phase' && mark.phase === phase)
  return mark?.at ?? Number.POSITIVE_INFINITY
}
