// Limits how many deliveries run at once, with fair shares for owners, overall and at each host.
import type { SlotUsage } from '../model/delivery-queue.ts'
import { FairShare } from './fair-share.ts'

export const SLOTS = 256
/** Half of all slots, so a slow receiver leaves room for an owner's other receivers. */
const SLOTS_PER_HOST = SLOTS / 2

export type Slot = { owner_id: string; release(): void }

export class DeliverySlots {
  readonly #all = new FairShare(SLOTS)
  readonly #hosts = new Map<string, FairShare>()

  /** Returns null if the owner may have no more slots now. */
  take(owner_id: string, host: string): Slot | null {
    const at_host = this.#hosts.get(host) ?? new FairShare(SLOTS_PER_HOST)
    if (!this.#all.mayTake(owner_id) || !at_host.mayTake(owner_id)) return null
    for (const share of [this.#all, at_host]) share.take(owner_id)
    this.#hosts.set(host, at_host)
    return {
      owner_id,
      release: () => {
        for (const share of [this.#all, at_host]) share.release(owner_id)
        if (at_host.free === SLOTS_PER_HOST) this.#hosts.delete(host)
      },
    }
  }

  usage(): SlotUsage {
    const hosts = [...this.#hosts]
    const busy = hosts.flatMap(([host, share]) =>
      share.owners.flatMap(({ owner_id }) => (share.mayTake(owner_id) ? [] : [{ owner_id, host }])),
    )
    const full = hosts.filter(([, share]) => share.free === 0).map(([host]) => host)
    return { free: this.#all.free, owners: this.#all.owners, busy, full }
  }
}
