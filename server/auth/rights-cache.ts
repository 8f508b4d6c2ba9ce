// A cache of what callers may do, in front of the database. Notices of changes empty it.

/** Notices of changes arrive within seconds; this is a second safeguard. */
const MAX_AGE_MS = 60_000
const DISCONNECTED_MAX_AGE_MS = 1_000

type Options<V> = {
  /** Null isn't kept. */
  read: (name: string) => Promise<V | null>
  /** A monotonic clock in milliseconds. */
  elapsed: () => number
  max: number
}

export class RightsCache<V> {
  readonly #options: Options<V>
  /** The least recently used comes first. */
  readonly #entries = new Map<string, { value: V; read_at: number }>()
  readonly #loads = new Map<string, Promise<V | null>>()
  /** Counts calls of `forgetWhere`: if an entry is forgotten while a query runs, the query must run again. */
  #forgets = 0
  #connected = true

  constructor(options: Options<V>) {
    this.#options = options
  }

  /** What is cached comes without a promise. */
  find(name: string): V | Promise<V | null> {
    const entry = this.#entries.get(name)
    const max_age = this.#connected ? MAX_AGE_MS : DISCONNECTED_MAX_AGE_MS
    if (!entry || this.#options.elapsed() - entry.read_at > max_age) return this.#load(name)
    this.#entries.delete(name)
    this.#entries.set(name, entry)
    return entry.value
  }

  /** Call this after the change is committed. */
  forgetWhere(applies: (value: V) => boolean): void {
    this.#forgets++
    for (const [name, entry] of this.#entries) if (applies(entry.value)) this.#entries.delete(name)
  }

  /** While the bus is disconnected, changes by other instances go unnoticed, so entries live one second. */
  busConnected(is_connected: boolean): void {
    if (is_connected && !this.#connected) this.forgetWhere(() => true)
    this.#connected = is_connected
  }

  #load(name: string): Promise<V | null> {
    const running = this.#loads.get(name) ?? this.#read(name).finally(() => this.#loads.delete(name))
    this.#loads.set(name, running)
    return running
  }

  async #read(name: string): Promise<V | null> {
    const { read, elapsed, max } = this.#options
    let value: V | null
    let read_at: number
    let before: number
    do {
      before = this.#forgets
      read_at = elapsed()
      value = await read(name)
    } while (this.#forgets !== before)
    this.#entries.delete(name)
    if (value === null) return null
    this.#entries.set(name, { value, read_at })
    for (const oldest of this.#entries.keys()) {
      if (this.#entries.size <= max) break
      this.#entries.delete(oldest)
    }
    return value
  }
}
