// The open calls of tools on this instance. A waiting call reads its question again and again, so it must be told when its
// key ends, and when the instance leaves.
import type { ServerResponse } from 'node:http'
import type { Key } from '../auth/api-keys.ts'

type OpenCall = { key: Key; end: () => void }

export class OpenCalls {
  readonly #open = new Set<OpenCall>()
  #stopped = false

  /** The signal aborts when the call should answer with what it has. The call is open until its response is closed. */
  add(key: Key, response: ServerResponse): AbortSignal {
    const controller = new AbortController()
    const call = { key, end: () => controller.abort() }
    this.#open.add(call)
    response.once('close', () => this.#open.delete(call))
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
