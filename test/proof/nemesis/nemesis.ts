// The faults of a run. Each leaves evidence that it took effect: a run whose faults did nothing proves nothing.
import type { Cluster } from '../cluster/cluster.ts'
import type { Fault, FaultKind } from '../plan.ts'
import { kill } from './kill.ts'
import { lostAnswers } from './lost-answers.ts'
import { partition } from './partition.ts'
import { pause } from './pause.ts'

/** A fault under way. */
export type Ongoing = {
  end(): Promise<void>
  /** What shows that it took effect, after `end`; null if nothing does. */
  evidence(): string | null
}

export type Begin<K extends FaultKind['kind']> = (
  cluster: Cluster,
  fault: Extract<FaultKind, { kind: K }>,
) => Promise<Ongoing>

export function begin(cluster: Cluster, fault: Fault): Promise<Ongoing> {
  switch (fault.kind) {
    case 'kill':
      return kill(cluster, fault)
    case 'pause':
      return pause(cluster, fault)
    case 'lost answers':
      return lostAnswers(cluster, fault)
    case 'partition':
      return partition(cluster, fault)
  }
}

export function instanceOf(cluster: Cluster, { instance: i }: { instance: number }) {
  const instance = cluster.instances[i]
  if (!instance) throw new RangeError(`the plan has no instance ${i}`)
  return instance
}
