// One thing that a person asks for: whether it is under way, and why it was refused.
import { type Accessor, createSignal, untrack } from 'solid-js'
import { ChannelFeedError } from '../../client/errors.ts'
import { errorText } from '../lib/error-text.ts'

export type Deed = { busy: Accessor<boolean>; reason: Accessor<string | undefined>; run: () => Promise<void> }

/** Asked for again while it is under way, it is done once. */
export function createDeed(work: () => Promise<void>): Deed {
  const [busy, setBusy] = createSignal(false)
  const [reason, setReason] = createSignal<string>()

  async function run(): Promise<void> {
    if (busy()) return
    setBusy(true)
    setReason(undefined)
    try {
      await work()
    } catch (error) {
      setReason(reasonOf(error))
    } finally {
      setBusy(false)
    }
  }

  return { busy, reason, run }
}

export type Optimistic<T> = {
  /**
   * `apply`: what the change makes of the value. `send`: tells the server, and resolves with what is so then; it gets
   * what was so before. Resolves with null, or with why the change did not hold.
   */
  change: (apply: (value: T) => T, send: (confirmed: T) => Promise<T>) => Promise<string | null>
  /** A change that is not shown before it is so. It waits for its turn like the others, and throws a refusal. */
  add: (send: (confirmed: T) => Promise<T>) => Promise<void>
  /** Why the last change did not hold. */
  reason: Accessor<string | undefined>
}

/**
 * A value that is shown as changed at once. Changes are sent one after another; one that is refused is taken back,
 * with the reason, and those made since stay.
 */
export function createOptimistic<T>(value: Accessor<T>, set: (value: T) => void): Optimistic<T> {
  const [reason, setReason] = createSignal<string>()
  let confirmed = untrack(value)
  let pending: ((value: T) => T)[] = []
  let last: Promise<unknown> = Promise.resolve()

  function begin(apply: (value: T) => T, send: (confirmed: T) => Promise<T>): Promise<void> {
    // With nothing under way what is shown is what the server has.
    if (pending.length === 0) confirmed = untrack(value)
    pending = [...pending, apply]
    setReason(undefined)
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
        error => setReason(reasonOf(error)),
      ),
    add: send => begin(value => value, send),
    reason,
  }
}

/** A refusal in its own words; a fault of ours is thrown on. */
function reasonOf(error: unknown): string {
  if (error instanceof ChannelFeedError) return errorText(error)
  throw error
}
