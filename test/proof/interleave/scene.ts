// What all parts of a run share, and what it has recorded.
import type { Finding } from '../check/files.ts'
import type { Tried } from '../load/posters.ts'
import type { Seen } from '../load/viewers.ts'
import type { Database } from './database.ts'
import type { Faults } from './faults.ts'
import type { Instance } from './instance.ts'
import type { Plan } from './plan.ts'
import type { Steps } from './steps.ts'

/** A change of the channel's description. `end` is infinity if it was never acknowledged. */
export type HeadChange = { op: string; begin: number; end: number; refused: boolean }

export type Scene = {
  plan: Plan
  database: Database
  channel_id: string
  steps: Steps
  faults: Faults
  /** A new instance replaces one that crashed. */
  instances: Instance[]
  /** The clock of the instances, in milliseconds. It rises only when a timer fires or the plan says so. */
  elapsed: number
  /** The turns that are committed, as `client:clock`. */
  committed: Set<string>
  /** The cards that posters know, oldest first. */
  cards: string[]
  tried: Tried[]
  heads: HeadChange[]
  seen: Seen[]
  findings: Finding[]
  /** The faults that took effect, and how commits ended. */
  felt: string[]
  /** Rises with every call. */
  tick: () => number
}

export const turnKey = (client_id: number | string, clock: number) => `${client_id}:${clock}`

export const never = () => new Promise<never>(() => {})

export function instanceAt({ instances }: Scene, i: number): Instance {
  const instance = instances[i]
  if (!instance) throw new RangeError(`there is no instance ${i}`)
  return instance
}
