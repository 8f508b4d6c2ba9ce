// What the load processes of a run work on.
import type { Plan } from '../plan.ts'

export type Scene = {
  plan: Plan
  /** Where the run's files go. */
  folder: string
  /** Of the instances, through their links; of the balancer, for each of them, if there is one. */
  urls: string[]
  api_key: string
  /** Another key of the same owner, for presses. */
  agent_key: string
  /** The last one is the spender's. */
  channel_ids: string[]
  /** The owner's session and its workspace, which is public. */
  cookie: string
  /** Of another user, whose cards nobody counts. */
  hider_cookie: string
  hider_email: string
  /** A third user, who joins the hider's workspaces. */
  joiner: { user_id: string; cookie: string; api_key: string }
  workspace_id: string
  slug: string
  webhook_url: string
  /** By channel: the secret of its webhooks when the run began. */
  secrets: Record<string, string>
  spender: Spender
  /** The same moment of the wall clock, in milliseconds, and of the clock of the run's files. */
  clock: { wall_ms: number; at: number }
}

/** A user whose daily limit a run uses up. `before`: how much of it `day` had used when the run began. */
export type Spender = {
  user_id: string
  api_key: string
  channel_id: string
  day: string
  before: number
  limit: number
}

/** The key of the channel's owner. */
export const keyOf = ({ api_key, spender }: Pick<Scene, 'api_key' | 'spender'>, channel_id: string) =>
  channel_id === spender.channel_id ? spender.api_key : api_key

export const SCENE = 'scene.json'
export const HISTORY = 'history.jsonl'
export const WAITS = 'waits.jsonl'
export const LIVE = 'live.jsonl'
export const MACHINE = 'machine.jsonl'
export const HIDDEN = 'hidden.jsonl'
export const VIEWERS = 'viewers.jsonl'
export const STREAMS = 'streams.jsonl'
export const RECEIVER = 'receiver.jsonl'
export const TAP = 'tap.jsonl'
/** The turn ids that the tap read, and that the database lacks at the end. */
export const LOST = 'lost.json'
export const DELIVERIES = 'deliveries.jsonl'
export const MARKS = 'marks.jsonl'
export const RIGHTS = 'rights.jsonl'
export const VIEWS = 'views.jsonl'
export const ENDING = 'ending.jsonl'
export const FIGURES = 'figures.json'
