// Works around two faults of the driver (3.4.9, porsager/postgres#1154, #1208). Queries hang forever on a connection that
// closes while a write waits for the next tick, and any query of a transaction whose connection has closed throws from
// a timer, which ends the process. So a pool that lost a connection is replaced, and its remaining queries reject soon.

/** Time for the remaining queries of a pool that was replaced. */
const OLD_POOL_S = 1

type Pool = { end(options?: { timeout?: number }): Promise<void> }

export class ReplaceablePool<P extends Pool> {
  readonly #start: (onclose: () => void) => P
  readonly #cut = new WeakSet<P>()
  readonly #leaving = new Set<P>()
  #ended = false
  #current: P

  /** `start` opens a pool that calls `onclose` when one of its connections closes. */
  constructor(start: (onclose: () => void) => P) {
    this.#start = start
    this.#current = this.#fresh()
  }

  get current(): P {
    return this.#current
  }

  isCut(pool: P): boolean {
    return this.#cut.has(pool)
  }

  /** One of its connections is closed or can't be used. */
  cut(pool: P): void {
    this.#cut.add(pool)
    if (!this.#ended && pool === this.#current) endWithin(OLD_POOL_S, this.#replace())
  }

  /** What has begun may end first. Ending a pool closes its idle connections, which fails its transactions like a cut. */
  reconnect(): void {
    const old = this.#replace()
    this.#leaving.add(old)
    setTimeout(() => {
      if (this.#leaving.delete(old)) endWithin(0, old)
    }, OLD_POOL_S * 1000).unref()
  }

  async end(options?: { timeout?: number }): Promise<void> {
    this.#ended = true
    await Promise.all([this.#current, ...this.#leaving].map(pool => pool.end(options)))
  }

  #replace(): P {
    const old = this.#current
    this.#current = this.#fresh()
    return old
  }

  #fresh(): P {
    const pool = this.#start(() => this.cut(pool))
    return pool
  }
}

function endWithin(seconds: number, pool: Pool): void {
  pool.end({ timeout: seconds }).catch(() => {})
}
