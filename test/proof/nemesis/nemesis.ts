// The faults of a run. Each leaves evidence that it took effect: a run whose faults did nothing proves nothing.
import type { Cluster } from '../cluster/cluster.ts'
import type { Fault, FaultKind } from '../faults.ts'
import type { ReceiverProcess } from '../load/receiver.ts'
import type { Remote } from '../load/remote.ts'
import type { Scene } from '../load/scene.ts'
import type { Viewers } from '../load/viewers.ts'
import { backlog } from './backlog.ts'
import { clock } from './clock.ts'
import { connections } from './connections.ts'
import { disk } from './disk.ts'
import { endedKey } from './ended-key.ts'
import { failover } from './failover.ts'
import { kill } from './kill.ts'
import { lockedRow } from './locked-row.ts'
import { lostAnswers } from './lost-answers.ts'
import { neighbour } from './neighbour.ts'
import { partition } from './partition.ts'
import { pause } from './pause.ts'
import { pooler } from './pooler.ts'
import { postgres } from './postgres.ts'
import { receivers } from './receivers.ts'
import { redis } from './redis.ts'
import { restart } from './restart.ts'
import { restore } from './restore.ts'
import { stop } from './stop.ts'
import { viewers } from './viewers.ts'

/** What faults work on. */
export type Stage = Cluster & {
  scene: Scene
  receiver: Remote<ReceiverProcess>
  viewers: Remote<Viewers>
  /** Resolves when every turn so far is in the tap's file. */
  catchUp(): Promise<void>
}

/** Something that a fault measured itself. `took_ms`: null if it never happened. */
export type Bound = { promise: string; what: string; took_ms: number | null; limit_ms: number }

/** A fault under way. */
export type Ongoing = {
  end(): Promise<void>
  /** What shows that it took effect, after `end`; null if nothing does. */
  evidence(): string | null
  bounds?(): Bound[]
  /** For a fault after which the database lacks commits. `wal`: up to where it has all; null: it has everything. */
  loss?(): { wal: string | null }
  /** When the instance that it stopped had ended. */
  stopped_at?(): number | undefined
  /** The only channel that it hits. */
  channel_id?: string
}

export type Begin<K extends FaultKind['kind']> = (
  stage: Stage,
  fault: Extract<Fault, { kind: K }>,
) => Promise<Ongoing>

export function begin(stage: Stage, fault: Fault): Promise<Ongoing> {
  switch (fault.kind) {
    case 'kill':
      return kill(stage, fault)
    case 'pause':
      return pause(stage, fault)
    case 'lost answers':
      return lostAnswers(stage, fault)
    case 'partition':
      return partition(stage, fault)
    case 'backlog':
      return backlog(stage, fault)
    case 'pooler':
      return pooler(stage, fault)
    case 'ended key':
      return endedKey(stage, fault)
    case 'connections':
      return connections(stage, fault)
    case 'locked row':
      return lockedRow(stage, fault)
    case 'neighbour':
      return neighbour(stage, fault)
    case 'postgres':
      return postgres(stage, fault)
    case 'redis':
      return redis(stage, fault)
    case 'receivers':
      return receivers(stage, fault)
    case 'viewers':
      return viewers(stage, fault)
    case 'failover':
      return failover(stage, fault)
    case 'restore':
      return restore(stage, fault)
    case 'clock':
      return clock(stage, fault)
    case 'disk':
      return disk(stage, fault)
    case 'stop':
      return stop(stage, fault)
    case 'restart':
      return restart(stage, fault)
  }
}

export function instanceOf({ instances }: Pick<Cluster, 'instances'>, { instance: i }: { instance: number }) {
  const instance = instances[i]
  if (!instance) throw new RangeError(`the plan has no instance ${i}`)
  return instance
}

/** Calls `look` again and again until `stop`, which resolves with everything that it returned. */
export function watchFor<T>(every_ms: number, look: () => Promise<T[]>) {
  const seen: T[] = []
  let stopped = false
  const watching = (async () => {
    while (!stopped) {
      // A database in trouble may answer nothing.
      seen.push(...(await look().catch(() => [])))
      await new Promise(resolve => setTimeout(resolve, every_ms))
    }
  })()
  return async (): Promise<T[]> => {
    stopped = true
    await watching
    return seen
  }
}
