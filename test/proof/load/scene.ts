// What the load processes of a run work on.
import type { Plan } from '../plan.ts'

export type Scene = {
  plan: Plan
  /** Where the run's files go. */
  folder: string
  /** Of the instances, through their links. */
  urls: string[]
  api_key: string
  channel_ids: string[]
  /** The session of the channels' owner. */
  cookie: string
}

export const HISTORY = 'history.jsonl'
export const VIEWERS = 'viewers.jsonl'
export const STREAMS = 'streams.jsonl'
export const RECEIVER = 'receiver.jsonl'
export const TAP = 'tap.jsonl'
/** The turn ids that the tap read, and that the database lacks at the end. */
export const LOST = 'lost.json'
export const DELIVERIES = 'deliveries.jsonl'
export const MARKS = 'marks.jsonl'
export const FIGURES = 'figures.json'
