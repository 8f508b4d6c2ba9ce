// Resolves host names with the system's own lookup, a few at a time, with fair shares for all owners: a name whose servers
// don't respond occupies a thread for up to half a minute.
import { type LookupAllOptions, lookup } from 'node:dns'
import type { Resolve } from './address-guard.ts'
import { FairShare } from './fair-share.ts'

type Callback = Parameters<Resolve>[2]
type Waiting = { owner_id: string; hostname: string; options: LookupAllOptions; callback: Callback }

/** libuv runs lookups on half of its threads. More lookups would wait in its queue, which ignores owners. */
const LOOKUPS = Math.ceil((Number(process.env.UV_THREADPOOL_SIZE) || 4) / 2)

export class FairLookups {
  readonly #resolve: Resolve
  readonly #share: FairShare
  readonly #running = new Map<string, Callback[]>()
  readonly #waiting = new Set<Waiting>()

  constructor(resolve: Resolve = lookup, at_once = LOOKUPS) {
    this.#resolve = resolve
    this.#share = new FairShare(at_once)
  }

  /** A resolver for this owner. Aborting `ended` drops its lookups that haven't started. */
  of(owner_id: string, ended: AbortSignal): Resolve {
    return (hostname, options, callback) => {
      const waiting = { owner_id, hostname, options, callback }
      this.#waiting.add(waiting)
      ended.addEventListener('abort', () => this.#waiting.delete(waiting), { once: true })
      this.#startNext()
    }
  }

  /** Starts lookups while there are slots. The owner with the fewest slots comes first, then the order of arrival. */
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
    const { owner_id, hostname, options } = waiting
    const key = keyOf(waiting)
    const callbacks = [waiting.callback]
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

const keyOf = ({ hostname, options }: Waiting) => `${hostname} ${options.family} ${options.hints}`
