// Resolves host names for deliveries, a few at a time and in fair shares for all owners: a name whose servers don't
// answer occupies a thread for up to half a minute.
import { type LookupAllOptions, lookup } from 'node:dns'
import type { Resolve } from './address-guard.ts'
import { FairShare } from './fair-share.ts'

type Callback = Parameters<Resolve>[2]
type Waiting = { owner_id: string; hostname: string; options: LookupAllOptions; callback: Callback }

/** libuv gives lookups half of its threads. Its own queue knows no owners, so no more than these are started. */
const LOOKUPS = Math.ceil((Number(process.env.UV_THREADPOOL_SIZE) || 4) / 2)

export class FairLookups {
  readonly #resolve: Resolve
  readonly #share: FairShare
  /** Running lookups by name and options, with everyone who waits for the result. */
  readonly #running = new Map<string, Callback[]>()
  readonly #waiting = new Set<Waiting>()

  /** `at_once`: lookups that run at the same time. */
  constructor(resolve: Resolve = lookup, at_once = LOOKUPS) {
    this.#resolve = resolve
    this.#share = new FairShare(at_once)
  }

  /** Lookups for this owner. Those that haven't started when `ended` is aborted are dropped. */
  of(owner_id: string, ended: AbortSignal): Resolve {
    return (hostname, options, callback) => {
      const waiting = { owner_id, hostname, options, callback }
      this.#waiting.add(waiting)
      ended.addEventListener('abort', () => this.#waiting.delete(waiting), { once: true })
      this.#startNext()
    }
  }

  /** Starts lookups while there are slots: first for the owner with the fewest, then in order of arrival. */
  #startNext(): void {
    for (const waiting of this.#waiting) {
      const callbacks = this.#running.get(keyOf(waiting))
      if (!callbacks) continue
      callbacks.push(waiting.callback)
      this.#waiting.delete(waiting)
    }
    const [first] = [...this.#waiting].sort(
      (a, b) => this.#share.held(a.owner_id) - this.#share.held(b.owner_id),
    )
    if (!first || !this.#share.mayTake(first.owner_id)) return
    this.#start(first)
    this.#startNext()
  }

  #start(waiting: Waiting): void {
    const { owner_id, hostname, options, callback } = waiting
    const key = keyOf(waiting)
    const callbacks = [callback]
    this.#waiting.delete(waiting)
    this.#running.set(key, callbacks)
    this.#share.take(owner_id)
    this.#resolve(hostname, options, (error, addresses) => {
      this.#running.delete(key)
      this.#share.release(owner_id)
      for (const callback of callbacks) callback(error, addresses)
      this.#startNext()
    })
  }
}

function keyOf({ hostname, options }: Waiting): string {
  return `${hostname} ${options.family} ${options.hints}`
}
