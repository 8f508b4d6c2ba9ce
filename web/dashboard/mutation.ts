// Changes that are visible before the server confirms them.
import { type Accessor, createSignal, untrack } from 'solid-js'
import { ChannelFeedError } from '../../client/errors.ts'
import { errorText } from '../lib/error-text.ts'

type Apply<T> = (value: T) => T
type Send<T> = (confirmed: T) => Promise<T>

/** Sends changes one after another. A failed change is rolled back; later changes stay. */
export function createOptimistic<T>(value: Accessor<T>, set: (value: T) => void) {
  const [error, setError] = createSignal<string>()
  let confirmed = untrack(value)
  let pending: Apply<T>[] = []
  let last: Promise<unknown> = Promise.resolve()

  function begin(apply: Apply<T>, send: Send<T>): Promise<void> {
    // With nothing pending, the displayed value is the server's.
    if (pending.length === 0) confirmed = untrack(value)
    pending = [...pending, apply]
    setError(undefined)
    set(apply(untrack(value)))
    const settled = last.then(() => settle(apply, send))
    last = settled.catch(() => undefined)
    return settled
  }

  async function settle(apply: Apply<T>, send: Send<T>): Promise<void> {
    try {
      confirmed = await send(confirmed)
    } finally {
      pending = pending.filter(other => other !== apply)
      set(pending.reduce((value, apply) => apply(value), confirmed))
    }
  }

  return {
    /** Shows the change at once. Resolves with null, or with the error after which it was rolled back. */
    change: (apply: Apply<T>, send: Send<T>): Promise<string | null> =>
      begin(apply, send).then(
        () => null,
        thrown => setError(messageOf(thrown)),
      ),
    /** Shows the change when the server has confirmed it, and throws errors. Waits for the changes before it. */
    add: (send: Send<T>): Promise<void> => begin(value => value, send),
    error,
  }
}

/** Throws anything but a failed request: a bug must not look like one. */
function messageOf(thrown: unknown): string {
  if (thrown instanceof ChannelFeedError) return errorText(thrown)
  throw thrown
}
