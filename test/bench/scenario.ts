// The interface of scenarios, what a run offers them, and how most of them begin.

import type { Poster } from './load/poster.ts'
import type { Reader } from './load/reader.ts'
import type { Functions, Remote } from './load/remote.ts'
import { type Running, syncPath, type Target } from './target.ts'

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

export const goal = (
  figure: string,
  title: string,
  unit: string,
  digits: number,
  ...wants: Want[]
): Goal => ({
  figure,
  title,
  unit,
  digits,
  wants,
})

/** Starts the target with a channel, and a process that posts over so many connections. */
export async function startPosting(target: Target, context: Context, connections = 32) {
  const running = await context.start(target)
  const [channel_id = ''] = await running.createChannels(1)
  const poster = context.remote<Poster>('poster.ts')
  await poster.call('open', { port: running.port, headers: running.headers, connections })
  return { running, channel_id, poster }
}

/** Starts a process in which a viewer with a document joins a channel, each time afresh. */
export function startReader(running: Running, context: Context) {
  const reader = context.remote<Reader>('reader.ts')
  return (channel_id: string, at = running) => {
    const { port, dialect } = at
    return reader.call('join', { port, dialect, channel_id, path: syncPath(channel_id, at) })
  }
}
