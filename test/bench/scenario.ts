// The interface of scenarios, and what a run offers them.
import type { Functions, Remote } from './load/remote.ts'
import type { Running, Target } from './target.ts'

/** The figures of one target in one round, by name. */
export type Sample = Record<string, number>

export type Context = {
  /** Smaller and shorter, only to check that everything works. */
  quick: boolean
  /** Starts the target; a second call restarts it on the same folder. It stops with the sample. */
  start(target: Target): Promise<Running>
  /** Starts a load process by its file in load/. It ends with the sample. */
  remote<F extends Functions>(file: string): Remote<F>
}

/** A bound on the service's figure, or on its ratio to another target's in the same round. */
export type Want = { at_least?: number; at_most?: number; of?: string }

export type Goal = {
  /** The figure's name. */
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
  /** Extra milliseconds per database flush. */
  slow_flush?: number
  goals: Goal[]
  run(target: Target, context: Context): Promise<Sample>
}
