// What start.js has read of the channel's local copy while the app was on its way. Each entry is given to the
// first who asks for it, and to nobody later: the copy moves on.
import { patience } from '../../lib/patience.ts'

interface FirstRead {
  has(key: string): boolean
  get<T>(key: string): T | undefined
  delete(key: string): void
}

declare global {
  interface Window {
    /** Undefined in it: nothing is kept, or it could not be read. */
    firstRead?: Promise<FirstRead | undefined>
  }
}

/** A slow device answers within that. What comes later is old by then. */
const PATIENCE_MS = 1_000

let dropped = false

/** `value` is undefined where nothing is kept under the key; the whole where it was not read. */
export async function takeFirst<T>(key: string): Promise<{ value: T | undefined } | undefined> {
  const reading = globalThis.window?.firstRead
  if (!reading || dropped) return undefined
  const answer = await Promise.race([reading.then(read => ({ read })), patience(PATIENCE_MS)])
  if (!answer) dropFirst()
  const read = answer?.read
  if (dropped || !read?.has(key)) return undefined
  const value = read.get<T>(key)
  read.delete(key)
  return { value }
}

/** Nobody gets it any more: it was another user's, or is old. */
export function dropFirst(): void {
  dropped = true
}
