// The open requests of the Model Context Protocol on this instance. A call that waits reads its question again and again, so
// it must be told when its key ends, and when the instance leaves.
import type { ServerResponse } from 'node:http'
import type { Key } from '../auth/api-keys.ts'
import type { Cap } from '../auth/caps.ts'

type OpenCall = { key: Key; end: () => void }

export class OpenCalls {
  readonly #open = new Set<OpenCall>()
  readonly #perKey: Cap
  readonly #perInstance: Cap
  #stopped = false

  constructor(perKey: Cap, perInstance: Cap) {
    this.#perKey = perKey
    this.#perInstance = perInstance
  }

  /**
   * The call is open until `response` is closed. The signal aborts when it should answer with what it has. Throws 429 beyond
   * a limit.
   */
  add(key: Key, response: ServerResponse): AbortSignal {
    const free = [this.#perInstance.take(''), this.#perKey.take(key.id)]
    const controller = new AbortController()
    const call = { key, end: () => controller.abort() }
    this.#open.add(call)
    const leave = () => {
      this.#open.delete(call)
      for (const one of free) one()
    }
    if (response.destroyed) leave()
    else response.once('close', leave)
    if (this.#stopped) call.end()
    return controller.signal
  }

  get open(): OpenCall[] {
    return [...this.#open]
  }

  endWhere(applies: (key: Key) => boolean): void {
    for (const { key, end } of this.open) if (applies(key)) end()
  }

  /** Ends all calls, and those of requests that still arrive. */
  stop(): void {
    this.#stopped = true
    this.endWhere(() => true)
  }
}
