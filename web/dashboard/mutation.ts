// Changes that a person requests: whether one is pending, why it failed, and values that change before it succeeds.
import { type Accessor, createSignal, untrack } from 'solid-js'
import { ChannelFeedError } from '../../client/errors.ts'
import { errorText } from '../lib/error-text.ts'

export type Mutation = {
  pending: Accessor<boolean>
  error: Accessor<string | undefined>
  run: () => Promise<void>
}

/** Calls of `run` are ignored while one is pending. */
export function createMutation(send: () => Promise<void>): Mutation {
  const [pending, setPending] = createSignal(false)
  const [error, setError] = createSignal<string>()

  async function run(): Promise<void> {
    if (pending()) return
    setPending(true)
    setError(undefined)
    try {
      await send()
    } catch (thrown) {
      setError(messageOf(thrown))
    } finally {
      setPending(false)
    }
  }

  return { pending, error, run }
}

export type Optimistic<T> = {
  /**
   * Shows `apply(value)` at once. `send` gets the last confirmed value and resolves with the next one. Resolves with
   * null, or with the error after which the change was rolled back.
   */
  change: (apply: (value: T) => T, send: (confirmed: T) => Promise<T>) => Promise<string | null>
  /** Shows its result only when the server has confirmed it, and throws errors. Waits for its turn as changes do. */
  add: (send: (confirmed: T) => Promise<T>) => Promise<void>
  /** Why the last change was rolled back. */
  error: Accessor<string | undefined>
}

/** Sends changes one after another. A failed change is rolled back; later changes stay. */
export function createOptimistic<T>(value: Accessor<T>, set: (value: T) => void): Optimistic<T> {
  const [error, setError] = createSignal<string>()
  let confirmed = untrack(value)
  let pending: ((value: T) => T)[] = []
  let last: Promise<unknown> = Promise.resolve()

  function begin(apply: (value: T) => T, send: (confirmed: T) => Promise<T>): Promise<void> {
    // With nothing pending, the displayed value is the server's.
    if (pending.length === 0) confirmed = untrack(value)
    pending = [...pending, apply]
    setError(undefined)
    set(apply(untrack(value)))
    const settled = last.then(() => settle(apply, send))
    last = settled.catch(() => undefined)
    return settled
  }

  async function settle(apply: (value: T) => T, send: (confirmed: T) => Promise<T>): Promise<void> {
    try {
      confirmed = await send(confirmed)
    } finally {
      pending = pending.filter(other => other !== apply)
      set(pending.reduce((value, apply) => apply(value), confirmed))
    }
  }

  return {
    change: (apply, send) =>
      begin(apply, send).then(
        () => null,
        thrown => setError(messageOf(thrown)),
      ),
    add: send => begin(value => value, send),
    error,
  }
}

/** Rethrows what is no failed request: a bug must not look like one. */
function messageOf(thrown: unknown): string {
  if (thrown instanceof ChannelFeedError) return errorText(thrown)
  throw thrown
}
