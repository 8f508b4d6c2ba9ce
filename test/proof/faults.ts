// What a plan may do to the cluster.
/** `at` and `lasts` in milliseconds. */
export type Fault = { at: number; lasts: number } & FaultKind
export type FaultKind =
  | { kind: 'kill'; instance: number; after?: Answered | Delivered | Draining }
  | { kind: 'pause'; instance: number }
  | { kind: 'lost answers'; instance: number }
  | Partition
  /** The database answers the instance nothing while requests queue. */
  | { kind: 'backlog'; instance: number }
  /** All instances reach the database through a pooler in transaction mode, for the whole run. */
  | { kind: 'pooler' }
  | { kind: 'ended key'; instance: number }
  | { kind: 'connections'; how: ConnectionTrouble }
  | { kind: 'postgres'; how: 'killed' | 'backend killed' | 'paused' }
  /** Another owner's channel is full of large cards, which the instance serves. */
  | { kind: 'neighbour'; instance: number }
  /** Another session locks the channel's row of `documents`. */
  | { kind: 'locked row'; channel: number }
  /** `slots moved`: of a cluster, those of the instances' topics. */
  | { kind: 'redis'; how: 'killed' | 'paused' | 'demoted' | 'slots moved' }
  /** The instance talks to a second Redis, which answers as well. */
  | { kind: 'redis'; how: 'split'; instance: number }
  | { kind: 'receivers'; how: ReceiverTrouble }
  /** A crowd beside the viewers of the run. */
  | { kind: 'viewers'; how: ViewerTrouble; channel: number; instance: number }
  /** The viewers of the run. `away`: for longer than the log reaches back. */
  | { kind: 'viewers'; how: 'paused' | 'away' }
  | Failover
  /** A copy of the database, as old as the fault's begin, takes its name. */
  | { kind: 'restore' }
  | { kind: 'clock'; instance: number; shift_s: number }
  | { kind: 'clock'; of: 'postgres'; shift_s: number }
  | { kind: 'disk'; how: DiskTrouble }
  /** It is asked to stop while writes to the channel wait for a lock. */
  | { kind: 'stop'; instance: number; channel: number }
  | Restart

/** Counts answers with this status from the fault's begin. */
export type Answered = { status: 201 | 204; nth: number }
/** Counts what the webhook receiver gets from the instance, from the fault's begin. */
export type Delivered = { webhook_bytes: number }
/** It is asked to stop, and dies this long after. */
export type Draining = { drain_ms: number }
export type ConnectionTrouble = 'used up' | 'terminated' | 'cancelled' | 'read-only'
export type ReceiverTrouble = 'hang' | 'dead body' | 'redirect' | 'reset' | 'slow'
export type ViewerTrouble = 'stop reading' | 'read slowly' | 'ignore closes' | 'flood' | 'return at once'
export type DiskTrouble = 'slow flush' | 'full tables' | 'full log' | 'broken flush' | 'really full'
export type Failover = {
  kind: 'failover'
  /** Then nothing may be lost. */
  synchronous: boolean
  /** An instance that loses the answer to a commit and is out of reach until the others have begun new epochs. */
  unsettled?: number
  /** An instance that starts right after the promotion, before the standby's first checkpoint. */
  restarted?: number
}
/** A step of a rolling restart behind a balancer: it is asked to stop, and starts again. */
export type Restart = {
  kind: 'restart'
  instance: number
  /** First, the balancer sends it nothing more. A release without a drain needs that. */
  leave: boolean
}
export type Partition = {
  kind: 'partition'
  instance: number
  link: 'front' | 'postgres' | 'redis'
  /** `slow`: bytes arrive later, in order. */
  how: 'stall' | 'drop' | 'cut' | 'slow'
  way: 'up' | 'down' | 'both'
}

/** Afterwards the database may lack what it acknowledged since the fault began. */
export const losesHistory = (fault: FaultKind): boolean =>
  fault.kind === 'restore' || (fault.kind === 'failover' && !fault.synchronous)
