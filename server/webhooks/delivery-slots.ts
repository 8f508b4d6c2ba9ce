// The places for deliveries on their way: shared between owners, in all and again at each host.
import { FairShare } from './fair-share.ts'

export const PLACES = 256
/** One owner gets up to half of these, so one slow receiver leaves the owner's other receivers room. */
const PLACES_A_HOST = PLACES / 2

/** What a claim has to know of the places that are taken. */
export type Taken = {
  free: number
  owners: { owner_id: string; count: number }[]
  /** Hosts where these owners have enough on the way. */
  busy: { owner_id: string; host: string }[]
  /** Hosts that have no place for anyone. */
  full: string[]
}

export class Places {
  readonly #all = new FairShare(PLACES)
  readonly #hosts = new Map<string, FairShare>()

  /** Returns what gives the place back, or null if the owner may have none now. */
  take(owner_id: string, host: string): (() => void) | null {
    const atHost = this.#hosts.get(host) ?? new FairShare(PLACES_A_HOST)
    if (!this.#all.mayTake(owner_id) || !atHost.mayTake(owner_id)) return null
    this.#all.take(owner_id)
    atHost.take(owner_id)
    this.#hosts.set(host, atHost)
    return () => {
      this.#all.giveBack(owner_id)
      atHost.giveBack(owner_id)
      if (atHost.free === PLACES_A_HOST) this.#hosts.delete(host)
    }
  }

  taken(): Taken {
    const hosts = [...this.#hosts]
    const busy = hosts.flatMap(([host, share]) =>
      share.owners
        .filter(({ owner_id }) => !share.mayTake(owner_id))
        .map(({ owner_id }) => ({ owner_id, host })),
    )
    const full = hosts.filter(([, share]) => share.free === 0).map(([host]) => host)
    return { free: this.#all.free, owners: this.#all.owners, busy, full }
  }
}
