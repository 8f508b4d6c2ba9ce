// Sends queued webhook deliveries. A channel's deliveries go out in order, one at a time; different channels don't wait for
// each other, and their owners get fair shares.
import { randomUUID } from 'node:crypto'
import { setMaxListeners } from 'node:events'
import type { Logger } from 'pino'
import type { Sql } from '../database/connect.ts'
import { unavailable } from '../errors.ts'
import type { History } from '../feed/log/history.ts'
import {
  type ClaimedDelivery,
  claimDeliveries,
  finishDelivery,
  markSent,
  readWaitingChannels,
} from '../model/delivery-queue.ts'
import { failWithoutUrl, releaseClaim } from '../model/delivery-recovery.ts'
import type { PrivateNetworks } from './address-guard.ts'
import { deliver } from './deliver.ts'
import { DeliverySlots, SLOTS, type Slot } from './delivery-slots.ts'
import { HostNames } from './host-names.ts'

type WebhookSenderDeps = {
  sql: Sql
  history: History
  public_url: string
  private_networks: PrivateNetworks
  head_timeout_ms?: number | undefined
  log: Logger
  ended: (channel_id: string) => void
}

/** How often the sender looks for deliveries that another instance queued and couldn't send. */
const POLL_MS = 2_000
const STOP_MS = 5_000
const FINISH_TRIES = 20
const FINISH_PAUSE_MS = 500

export class WebhookSender {
  readonly #deps: WebhookSenderDeps
  readonly #timer: NodeJS.Timeout
  readonly #running = new Set<Promise<unknown>>()
  readonly #slots = new DeliverySlots()
  readonly #names = new HostNames()
  /** Claims whose statement failed. It may have been committed, so they are released. */
  readonly #uncertain = new Set<string>()
  readonly #interrupt = new AbortController()
  #claiming: Promise<void> | null = null
  #again = false
  #stopped = false

  constructor(deps: WebhookSenderDeps) {
    this.#deps = deps
    setMaxListeners(SLOTS, this.#interrupt.signal)
    this.#timer = setInterval(() => this.wake(), POLL_MS)
  }

  wake(): void {
    if (this.#stopped) return
    this.#again = this.#claiming !== null
    this.#claiming ??= this.#claim()
      .catch(error => this.#deps.log.warn({ err: error }, 'could not claim deliveries'))
      .finally(() => {
        this.#claiming = null
        if (this.#again) this.wake()
      })
  }

  /** Sends one delivery past the queue and stores its outcome. Returns null if the owner may have no slot now. */
  async sendNow(owner_id: string, host: string, claim: () => Promise<ClaimedDelivery>) {
    if (this.#stopped) throw unavailable()
    const slot = this.#slots.take(owner_id, host)
    if (!slot) return null
    const sent = claim().then(async claimed => {
      await this.#send(claimed, owner_id)
      return claimed
    })
    return this.#track(sent, slot)
  }

  async stop(): Promise<void> {
    this.#stopped = true
    clearInterval(this.#timer)
    await this.#claiming
    const limit = setTimeout(() => this.#interrupt.abort(), STOP_MS)
    await Promise.allSettled(this.#running)
    clearTimeout(limit)
  }

  async #claim(): Promise<void> {
    const { sql, public_url } = this.#deps
    for (const claim of this.#uncertain) {
      await releaseClaim(sql, claim)
      this.#uncertain.delete(claim)
    }
    const usage = this.#slots.usage()
    const waiting = usage.free > 0 ? await readWaitingChannels(sql, usage) : []
    const without_url = waiting.filter(({ host }) => host === null).map(({ channel_id }) => channel_id)
    if (without_url.length > 0) await failWithoutUrl(sql, without_url)
    const slots = new Map<string, Slot>()
    for (const { channel_id, owner_id, host } of waiting) {
      const slot = host === null ? null : this.#slots.take(owner_id, host)
      if (slot) slots.set(channel_id, slot)
    }
    if (slots.size === 0) return
    const claim = randomUUID()
    const { claimed, queues } = await claimDeliveries(sql, claim, [...slots.keys()], public_url).catch(
      error => {
        this.#uncertain.add(claim)
        for (const slot of slots.values()) slot.release()
        throw error
      },
    )
    for (const delivery of claimed) {
      const slot = slots.get(delivery.channel_id)
      if (!slot || this.#stopped) continue
      slots.delete(delivery.channel_id)
      void this.#track(this.#send(delivery, slot.owner_id), slot)
    }
    for (const slot of slots.values()) slot.release()
    if (this.#stopped) return releaseClaim(sql, claim)
    // Some of these channels had nothing to claim, so channels beyond the limit of the query may be due.
    if (queues > 0 && claimed.length < waiting.length) this.#again = true
  }

  #track<T>(work: Promise<T>, slot: Slot): Promise<T> {
    this.#running.add(work)
    return work.finally(() => {
      this.#running.delete(work)
      slot.release()
      this.wake()
    })
  }

  async #send(delivery: ClaimedDelivery, owner_id: string): Promise<void> {
    const { sql, history, log, private_networks, head_timeout_ms } = this.#deps
    const ended = new AbortController()
    const result = await deliver(delivery, {
      private_networks,
      head_timeout_ms,
      signal: this.#interrupt.signal,
      resolve: this.#names.of(owner_id, ended.signal),
      markSent: () => markSent(sql, delivery, history.current),
    })
    ended.abort()
    // Nothing was sent, so the delivery is due again when its claim expires.
    if (!result) return
    for (let tries = 1; ; tries++) {
      try {
        await finishDelivery(sql, delivery, result)
        return this.#deps.ended(delivery.channel_id)
      } catch (error) {
        // The delivery is marked as sent, so it isn't repeated: once its claim expires, it is closed as interrupted.
        if (tries === FINISH_TRIES) return log.error({ err: error }, 'could not store a delivery’s outcome')
        await new Promise(resolve => setTimeout(resolve, FINISH_PAUSE_MS))
      }
    }
  }
}
