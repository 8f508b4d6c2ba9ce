// What a scenario is, and what it may ask of the run that carries it out.
import type { Functions, Remote } from './load/remote.ts'
import type { Running, Target } from './target.ts'

/** The figures of one target in one round, by name. */
export type Sample = Record<string, number>

export type Context = {
  /** Smaller and shorter, to see that everything works; its figures mean nothing. */
  quick: boolean
  /** Starts the target; again on the same folder when called again. Stopped when the sample is done. */
  start(target: Target): Promise<Running>
  /** A process of the load, by its file in load/. Ended when the sample is done. */
  remote<F extends Functions>(file: string): Remote<F>
}

/** A bound on the service's figure, or on its ratio to another target's in the same round. */
export type Want = { at_least?: number; at_most?: number; of?: string }

export type Goal = {
  /** The sample's figure that this is about. */
  figure: string
  title: string
  unit: string
  digits: number
  wants: Want[]
}

export type Scenario = {
  name: string
  targets: string[]
  rounds: number
  /** Milliseconds by which every flush of the database to disk is slowed. */
  slow_flush?: number
  goals: Goal[]
  run(target: Target, context: Context): Promise<Sample>
}
