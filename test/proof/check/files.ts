// The files of a run, as the checkers read them.
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { TappedTurn } from '../cluster/tap.ts'
import { groupBy } from '../group.ts'
import type { Ending } from '../load/ending.ts'
import type { Hidden } from '../load/hide.ts'
import type { Counted } from '../load/live.ts'
import type { Slowness } from '../load/machine.ts'
import type { Tried } from '../load/posters.ts'
import type { Waited } from '../load/questions.ts'
import type { Delivered } from '../load/receiver.ts'
import type { Revoked } from '../load/revoke.ts'
import {
  DELIVERIES,
  ENDING,
  HIDDEN,
  HISTORY,
  LIVE,
  LOST,
  MACHINE,
  MARKS,
  RECEIVER,
  RIGHTS,
  SCENE,
  type Scene,
  type Spender,
  STREAMS,
  TAP,
  VIEWERS,
  VIEWS,
  WAITS,
} from '../load/scene.ts'
import type { Heard } from '../load/streams.ts'
import type { Seen } from '../load/viewers.ts'
import type { View } from '../load/views.ts'
import { readJsonLines } from '../records.ts'
import type { Mark, StoredDelivery } from '../run.ts'
import { withOldestPages } from './oldest-pages.ts'

/** A broken promise. `promise` is its number. */
export type Finding = { promise: string; message: string }

export type Files = {
  tried: Tried[]
  /** In the order of the log, by channel. */
  turns: TappedTurn[]
  /** Turns that the database lacks at the end, in the same order. */
  lost: TappedTurn[]
  seen: Seen[]
  heard: Heard[]
  delivered: Delivered[]
  deliveries: StoredDelivery[]
  revoked: Revoked[]
  hidden: Hidden[]
  waits: Waited[]
  machine: Slowness[]
  live: Counted[]
  /** Read in the quiet phase. */
  views: View[]
  ending: Ending[]
  spender: Spender | null
  clock: Scene['clock'] | null
  secrets: Scene['secrets'] | null
  marks: Mark[]
}

export async function readFiles(folder: string): Promise<Files> {
  const read = <T>(name: string) => readJsonLines<T>(join(folder, name))
  const tapped = (await read<TappedTurn>(TAP)).sort((a, b) => a.epoch - b.epoch || a.seq - b.seq || a.n - b.n)
  const lost_ids = new Set<string>(JSON.parse(await readFile(join(folder, LOST), 'utf8').catch(() => '[]')))
  const [scene] = await read<Pick<Scene, 'spender' | 'clock' | 'secrets'>>(SCENE)
  return {
    tried: await read<Tried>(HISTORY),
    turns: withOldestPages(tapped.filter(({ turn_id }) => !lost_ids.has(turn_id))),
    lost: tapped.filter(({ turn_id }) => lost_ids.has(turn_id)),
    seen: await read<Seen>(VIEWERS),
    heard: await read<Heard>(STREAMS),
    delivered: await read<Delivered>(RECEIVER),
    deliveries: await read<StoredDelivery>(DELIVERIES),
    revoked: await read<Revoked>(RIGHTS),
    hidden: await read<Hidden>(HIDDEN),
    waits: await read<Waited>(WAITS),
    machine: await read<Slowness>(MACHINE),
    live: await read<Counted>(LIVE),
    views: await read<View>(VIEWS),
    ending: await read<Ending>(ENDING),
    spender: scene?.spender ?? null,
    clock: scene?.clock ?? null,
    secrets: scene?.secrets ?? null,
    marks: await read<Mark>(MARKS),
  }
}

export const byChannel = <T extends { channel_id: string }>(rows: T[]): Map<string, T[]> =>
  groupBy(rows, ({ channel_id }) => channel_id)

/** When a phase began; infinity if it never did. */
export function phaseOf(marks: Mark[], phase: Extract<Mark, { kind: 'phase' }>['phase']): number {
  const mark = marks.find(mark => mark.kind === 'phase' && mark.phase === phase)
  return mark?.at ?? Number.POSITIVE_INFINITY
}
