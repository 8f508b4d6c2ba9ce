// One thing that a person asks for: whether it is under way, and why it was refused.
import { type Accessor, createSignal } from 'solid-js'
import { Refused, Unreachable } from '../api.ts'

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

/**
 * A value that is shown as changed at once, and put back with the reason where the server refuses. Of changes that
 * overlap the last one counts.
 */
export function createOptimistic<T>(value: Accessor<T>, set: (value: T) => void) {
  const [reason, setReason] = createSignal<string>()
  let changes = 0

  async function change(next: T, send: () => Promise<T>): Promise<void> {
    const before = value()
    const turn = ++changes
    setReason(undefined)
    set(next)
    try {
      const answer = await send()
      if (turn === changes) set(answer)
    } catch (error) {
      if (turn === changes) set(before)
      setReason(reasonOf(error))
    }
  }

  return { change, reason }
}

/** A refusal in its own words; a fault of ours is thrown on. */
function reasonOf(error: unknown): string {
  if (error instanceof Refused || error instanceof Unreachable) return error.message
  throw error
}
