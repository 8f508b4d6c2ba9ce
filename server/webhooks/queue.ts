// Sends what is queued: a channel's deliveries in order and one at a time, many channels at once, owners in fair shares.
import { randomUUID } from 'node:crypto'
import { setMaxListeners } from 'node:events'
import type { Logger } from 'pino'
import type { Sql } from '../database/connect.ts'
import { unavailable } from '../errors.ts'
import { type AttemptOptions, type AttemptResult, attempt } from './deliver.ts'
import { FairLookups } from './fair-lookups.ts'
import { PLACES, Places, type Taken } from './places.ts'

/** A delivery that this instance is to send, now and once. `secrets`: all that sign, the present one first. */
export type Claimed = {
  id: string
  /** Names the claim. */
  claim: string
  channel_id: string
  interaction_id: string
  url: string
  body: string
  secrets: string[]
}

/** A channel whose next delivery waits. `host`: where it goes; null if the channel's URL was removed. */
export type Waiting = { channel_id: string; owner_id: string; host: string | null }

/** `looked_at`: channels that were free to be claimed from. Where nothing waited after all, nothing is claimed. */
export type Claims = { claimed: Claimed[]; looked_at: number }

/** What the queue asks of the rows; the files of model/ answer. */
export type QueueRows = {
  waiting(sql: Sql, taken: Taken): Promise<Waiting[]>
  claim(sql: Sql, claim: string, channel_ids: readonly string[]): Promise<Claims>
  closeWithoutUrl(sql: Sql, channel_ids: readonly string[]): Promise<void>
  putBack(sql: Sql, claim: string): Promise<void>
  markSent(sql: Sql, claimed: Claimed): Promise<boolean>
  finish(sql: Sql, claimed: Claimed, result: AttemptResult): Promise<void>
  giveUpLostClaims(sql: Sql): Promise<void>
}

type Grant = { owner_id: string; giveBack: () => void }

export type WebhookQueueDeps = Pick<AttemptOptions, 'private_networks' | 'head_timeout_ms'> & {
  sql: Sql
  rows: QueueRows
  log: Logger
}

/** What another instance accepted and could not send is found by looking. */
const LOOK_MS = 2_000
/** How long a stop waits for receivers. */
const STOP_MS = 5_000
const FINISH_TRIES = 20
const FINISH_PAUSE_MS = 500

export class WebhookQueue {
  readonly #deps: WebhookQueueDeps
  readonly #timer: NodeJS.Timeout
  readonly #running = new Set<Promise<unknown>>()
  readonly #places = new Places()
  readonly #lookups = new FairLookups()
  /** Claims whose answer was lost. */
  readonly #lost = new Set<string>()
  readonly #ending = new AbortController()
  #claiming: Promise<void> | null = null
  #again = false
  #stopped = false

  constructor(deps: WebhookQueueDeps) {
    this.#deps = deps
    setMaxListeners(PLACES, this.#ending.signal)
    this.#timer = setInterval(() => {
      deps.rows
        .giveUpLostClaims(deps.sql)
        .catch(error => deps.log.debug({ err: error }, 'no look at lost claims'))
      this.wake()
    }, LOOK_MS)
  }

  /** Something was queued, or a channel's turn has come. */
  wake(): void {
    if (this.#stopped) return
    if (this.#claiming) {
      this.#again = true
      return
    }
    this.#claiming = this.#claim()
      .catch(error => this.#deps.log.warn({ err: error }, 'could not claim deliveries'))
      .finally(() => {
        this.#claiming = null
        if (!this.#again) return
        this.#again = false
        this.wake()
      })
  }

  /**
   * Sends one past the queue, in a place like any other, and keeps the result. `claim` is called once there is a place.
   * Returns what it claimed, or null if the owner may have no place now.
   */
  async sendNow(owner_id: string, host: string, claim: () => Promise<Claimed>): Promise<Claimed | null> {
    if (this.#stopped) throw unavailable()
    const giveBack = this.#places.take(owner_id, host)
    if (!giveBack) return null
    const sent = claim().then(async claimed => {
      await this.#send(claimed, owner_id)
      return claimed
    })
    return this.#track(sent, giveBack)
  }

  /** Takes no more, and waits for what is being sent; what takes too long is closed as interrupted. */
  async stop(): Promise<void> {
    this.#stopped = true
    clearInterval(this.#timer)
    await this.#claiming
    const limit = setTimeout(() => this.#ending.abort(), STOP_MS)
    await Promise.allSettled(this.#running)
    clearTimeout(limit)
  }

  async #claim(): Promise<void> {
    const { rows, sql } = this.#deps
    for (const lost of this.#lost) {
      await rows.putBack(sql, lost)
      this.#lost.delete(lost)
    }
    const taken = this.#places.taken()
    const waiting = taken.free > 0 ? await rows.waiting(sql, taken) : []
    const without_url = waiting.filter(({ host }) => host === null).map(({ channel_id }) => channel_id)
    if (without_url.length > 0) await rows.closeWithoutUrl(sql, without_url)
    const granted = this.#grant(waiting)
    if (granted.size === 0) return
    const claim = randomUUID()
    const { claimed, looked_at } = await rows.claim(sql, claim, [...granted.keys()]).catch(error => {
      this.#lost.add(claim)
      for (const { giveBack } of granted.values()) giveBack()
      throw error
    })
    for (const one of claimed) {
      const grant = granted.get(one.channel_id)
      if (!grant || this.#stopped) continue
      granted.delete(one.channel_id)
      void this.#track(this.#send(one, grant.owner_id), grant.giveBack)
    }
    for (const { giveBack } of granted.values()) giveBack()
    if (this.#stopped) return rows.putBack(sql, claim)
    // There may be more behind those that waited for nothing, or that had to wait for the others.
    if (looked_at > 0 && claimed.length < waiting.length) this.#again = true
  }

  /** A place for each delivery that may have one, by channel. */
  #grant(waiting: Waiting[]): Map<string, Grant> {
    const granted = new Map<string, Grant>()
    for (const { channel_id, owner_id, host } of waiting) {
      const giveBack = host === null ? null : this.#places.take(owner_id, host)
      if (giveBack) granted.set(channel_id, { owner_id, giveBack })
    }
    return granted
  }

  /** The place is free when the work has ended, and the next in line may have it. */
  #track<T>(work: Promise<T>, giveBack: () => void): Promise<T> {
    this.#running.add(work)
    return work.finally(() => {
      this.#running.delete(work)
      giveBack()
      this.wake()
    })
  }

  async #send(claimed: Claimed, owner_id: string): Promise<void> {
    const { rows, sql, log, private_networks, head_timeout_ms } = this.#deps
    const over = new AbortController()
    const result = await attempt(claimed, {
      private_networks,
      head_timeout_ms,
      signal: this.#ending.signal,
      resolve: this.#lookups.of(owner_id, over.signal),
      mark: () => rows.markSent(sql, claimed),
    })
    over.abort()
    // Nothing was sent, and nobody knows why not: it waits again once the claim has lapsed.
    if (!result) return
    for (let tries = 1; ; tries++) {
      try {
        return await rows.finish(sql, claimed, result)
      } catch (error) {
        // The claim stays, so nothing is sent again; the row is closed as interrupted if this never succeeds.
        if (tries === FINISH_TRIES) return log.error({ err: error }, 'a delivery could not be logged')
        await new Promise(resolve => setTimeout(resolve, FINISH_PAUSE_MS))
      }
    }
  }
}
