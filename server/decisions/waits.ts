// Requests that wait until a decision ends. Each is an entry in memory, and costs nothing while its channel's log stays the
// same. What they need from the database is read for all of them together, one query at a time: when a channel's log grows,
// and when a wait is over. The feeds find growth whose notice was lost.
import { setTimeout as delay } from 'node:timers/promises'
import type { Logger } from 'pino'
import type { FullDecision } from '../../shared/decision.ts'
import type { Key } from '../auth/api-keys.ts'
import type { Cap } from '../auth/caps.ts'
import { type RefusalsOf, type Runner, Suspects } from '../auth/runners.ts'
import { type ApiError, notFound, unauthorized, unavailable } from '../errors.ts'
import type { DecisionLooks } from './looks.ts'

/** `key`: undefined for a session. */
export type WaitingCaller = { user_id: string; key: Key | undefined; session_id: string | undefined }

/** Gets either the decision or an error, once. `repeats`: its client waits again then, maybe on another instance. */
export type Recipient = {
  readonly repeats: boolean
  answer(decision: FullDecision): void
  refuse(error: unknown): void
}

/** Thousands are open at once, so each holds ids and the recipient, and nothing that was read for its request. */
export type Wait = {
  readonly channel_id: string
  readonly decision_id: string
  readonly caller: WaitingCaller
  readonly recipient: Recipient
  /** Whether its caller is the key that asked. */
  readonly counts: boolean
  timer: NodeJS.Timeout | undefined
}

/** The log of an open channel, which stays open while someone listens. `log_head`: null until the log's end is known. */
type FollowedLog = {
  readonly log_head: object | null
  readonly closed: boolean
  refresh(): Promise<unknown>
  listen(listener: () => void): () => void
}

type AwaitedChannel = { feed: FollowedLog; unlisten: () => void; waits: Map<string, Set<Wait>> }

type Deps = {
  feeds: { get(channel_id: string): FollowedLog }
  log: Logger
  now: () => number
  looks: Pick<DecisionLooks, 'enter' | 'leave' | 'forget'>
  /** Reads these decisions, those marked `ended` only if they have ended. */
  read: (awaited: { channel_id: string; id: string; ended: boolean }[]) => Promise<FullDecision[]>
  /** Why each may not wait any more; null if it may. */
  refusalsOf: RefusalsOf
  perCaller: Cap
  perInstance: Cap
}

/** In one query. Busy channels share them, so that none delays the answers of others. */
const IDS_MAX = 1_000
const RETRY_MS = 500
/** After a query comes a pause of this many times its duration, so that a busy channel doesn't occupy the database. */
const PAUSE = 2
const PAUSE_MAX_MS = 60
/** A wait that is over gets 503 if the database doesn't answer in this time. */
const LATE_MS = 10_000
/** The same while the service stops. */
const STOP_MS = 3_000

export class DecisionWaits {
  readonly #deps: Deps
  readonly #channels = new Map<string, AwaitedChannel>()
  /** Decisions that may have ended, by channel. */
  readonly #due = new Map<string, Set<string>>()
  /** Waits that are over: they get the decision as it is. */
  #late = new Set<Wait>()
  /** Callers of waits that were added since the last check, or whose right may have ended. */
  readonly #suspects: Suspects
  #reading = false
  #stopped = false

  constructor(deps: Deps) {
    this.#deps = deps
    this.#suspects = new Suspects(deps.refusalsOf)
  }

  get open(): Wait[] {
    const open: Wait[] = []
    for (const { waits } of this.#channels.values()) for (const same of waits.values()) open.push(...same)
    return open
  }

  /**
   * The recipient gets the decision once it has ended, after `ms`, or when the service stops; 401 if the key ends, 403 if the
   * right does, and 404 if the channel is deleted. `counts`: its caller is the key that asked. Throws 429 beyond a limit.
   */
  add(
    { id: decision_id, channel_id }: Pick<FullDecision, 'id' | 'channel_id'>,
    caller: WaitingCaller,
    ms: number,
    recipient: Recipient,
    counts = false,
  ): Wait {
    this.#count(caller)
    const wait: Wait = { channel_id, decision_id, caller, recipient, counts, timer: undefined }
    if (counts) this.#deps.looks.enter(wait)
    this.#suspects.add(runnerOf(wait))
    const key_ms = (caller.key?.expires_at ?? Number.POSITIVE_INFINITY) - this.#deps.now()
    wait.timer =
      key_ms < ms
        ? setTimeout(() => this.#refuse(wait, unauthorized()), key_ms)
        : setTimeout(() => this.end([wait]), this.#stopped ? 0 : ms)
    this.#open(wait)
    return wait
  }

  /** Throws 429 if `add` would. */
  checkRoom(caller: WaitingCaller): void {
    this.#count(caller)
    this.#uncount(caller)
  }

  /** The client has left. Returns false if the wait was over. */
  remove(wait: Wait): boolean {
    const { channel_id, decision_id, caller } = wait
    const channel = this.#channels.get(channel_id)
    const waits = channel?.waits.get(decision_id)
    if (!channel || !waits?.delete(wait)) return false
    clearTimeout(wait.timer)
    this.#late.delete(wait)
    this.#uncount(caller)
    if (wait.counts) this.#deps.looks.leave(decision_id)
    if (waits.size === 0) channel.waits.delete(decision_id)
    if (channel.waits.size > 0) return true
    channel.unlisten()
    this.#channels.delete(channel_id)
    return true
  }

  /** Answers these waits with their decisions as they are. */
  end(waits: readonly Wait[]): void {
    for (const wait of waits) {
      clearTimeout(wait.timer)
      wait.timer = setTimeout(() => this.#refuse(wait, unavailable()), LATE_MS)
      this.#late.add(wait)
    }
    this.#read()
  }

  refuseWhere(applies: (wait: Wait) => boolean, error: () => ApiError): void {
    for (const wait of this.open) if (applies(wait)) this.#refuse(wait, error())
  }

  /** Runs every few seconds. */
  async check(): Promise<void> {
    // The database was unavailable when these channels were read, so their growth isn't reported.
    for (const { feed } of this.#channels.values()) if (!feed.log_head) this.#follow(feed)
    await this.#refuseSuspects()
  }

  /** The right of these waits may have ended. */
  async checkWhere(applies: (wait: Wait) => boolean): Promise<void> {
    for (const wait of this.open) if (applies(wait)) this.#suspects.add(runnerOf(wait))
    await this.check()
  }

  /** Answers all waits, and those of requests that still arrive. */
  stop(): void {
    this.#stopped = true
    this.end(this.open)
    setTimeout(() => this.refuseWhere(() => true, unavailable), STOP_MS).unref()
  }

  /** Throws 429 beyond a limit. */
  #count(caller: WaitingCaller): void {
    this.#deps.perCaller.take(callerOf(caller))
    try {
      this.#deps.perInstance.take('')
    } catch (error) {
      this.#deps.perCaller.free(callerOf(caller))
      throw error
    }
  }

  #uncount(caller: WaitingCaller): void {
    this.#deps.perCaller.free(callerOf(caller))
    this.#deps.perInstance.free('')
  }

  #answer(wait: Wait, decision: FullDecision): void {
    if (!this.remove(wait)) return
    if (decision.state !== 'waiting') this.#deps.looks.forget(decision.id)
    wait.recipient.answer(decision)
  }

  #refuse(wait: Wait, error: unknown): void {
    if (this.remove(wait)) wait.recipient.refuse(error)
  }

  #open(wait: Wait): void {
    const { channel_id, decision_id } = wait
    const channel = this.#channels.get(channel_id) ?? this.#openChannel(channel_id)
    const waits = channel.waits.get(decision_id) ?? new Set()
    channel.waits.set(decision_id, waits.add(wait))
    // The decision may have ended since it was read. Growth is reported only after the end of the log is known.
    if (!channel.feed.log_head) return this.#follow(channel.feed)
    this.#addDue(channel_id, [decision_id])
    this.#read()
  }

  #addDue(channel_id: string, ids: Iterable<string>): void {
    const due = this.#due.get(channel_id) ?? new Set()
    for (const id of ids) due.add(id)
    this.#due.set(channel_id, due)
  }

  /** Channels have equal shares. What remains of one goes to the end. */
  #takeDue(): [string, string][] {
    const taken: [string, string][] = []
    const share = Math.ceil(IDS_MAX / Math.max(1, this.#due.size))
    for (const [channel_id, due] of [...this.#due]) {
      if (taken.length >= IDS_MAX) break
      let left = share
      for (const id of due) {
        if (left-- === 0) break
        due.delete(id)
        taken.push([id, channel_id])
      }
      this.#due.delete(channel_id)
      if (due.size > 0) this.#due.set(channel_id, due)
    }
    return taken
  }

  #openChannel(channel_id: string): AwaitedChannel {
    const feed = this.#deps.feeds.get(channel_id)
    const unlisten = feed.listen(() => this.#headChanged(channel_id, channel))
    const channel: AwaitedChannel = { feed, unlisten, waits: new Map() }
    this.#channels.set(channel_id, channel)
    return channel
  }

  #headChanged(channel_id: string, { feed, waits }: AwaitedChannel): void {
    if (feed.closed) {
      for (const same of waits.values()) for (const wait of same) this.#refuse(wait, notFound('Channel'))
    } else if (feed.log_head) {
      this.#addDue(channel_id, waits.keys())
      this.#read()
    } else this.#follow(feed)
  }

  /** Reads where the log ends, which reports a change of the head. */
  #follow(feed: FollowedLog): void {
    feed
      .refresh()
      .catch(error =>
        this.#deps.log.debug({ err: error }, 'could not follow a channel with an awaited decision'),
      )
  }

  #read(): void {
    if (this.#reading) return
    this.#reading = true
    void this.#readAll()
  }

  async #readAll(): Promise<void> {
    while (this.#due.size > 0 || this.#late.size > 0) {
      const began = performance.now()
      const due = this.#takeDue()
      const late = [...this.#late].slice(0, IDS_MAX)
      for (const wait of late) this.#late.delete(wait)
      try {
        await this.#readSome(due, late)
      } catch (error) {
        this.#deps.log.debug({ err: error }, 'could not read the awaited decisions')
        for (const wait of late) this.#refuse(wait, error)
        for (const [id, channel_id] of due) this.#addDue(channel_id, [id])
        await delay(RETRY_MS)
      }
      if (!this.#stopped) await delay(Math.min((performance.now() - began) * PAUSE, PAUSE_MAX_MS))
    }
    this.#reading = false
  }

  async #readSome(due: [string, string][], late: Wait[]): Promise<void> {
    const awaited = new Map(due.map(([id, channel_id]) => [id, { channel_id, id, ended: true }]))
    for (const { decision_id: id, channel_id } of late) awaited.set(id, { channel_id, id, ended: false })
    const found = await this.#deps.read([...awaited.values()])
    const decisions = new Map(found.map(one => [one.id, one]))
    for (const decision of decisions.values()) {
      const waits = this.#channels.get(decision.channel_id)?.waits.get(decision.id) ?? []
      if (decision.state !== 'waiting') for (const wait of waits) this.#answer(wait, decision)
    }
    for (const wait of late) {
      const decision = decisions.get(wait.decision_id)
      // Only its channel's deletion removes a decision that someone waits for.
      if (decision) this.#answer(wait, decision)
      else this.#refuse(wait, notFound('Channel'))
    }
  }

  /** A key or role may have ended after its request was checked and before its wait was added. What ends later is reported. */
  async #refuseSuspects(): Promise<void> {
    const refusalOf = await this.#suspects.check()
    for (const wait of this.open) {
      const refusal = refusalOf(runnerOf(wait))
      if (refusal) this.#refuse(wait, refusal)
    }
  }
}

const callerOf = ({ key, user_id }: WaitingCaller) => key?.id ?? user_id

const runnerOf = ({ channel_id, caller: { user_id, key } }: Wait): Runner => ({
  channel_id,
  user_id,
  key_id: key?.id ?? null,
})
