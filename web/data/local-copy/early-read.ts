// Entries of the local copy that start.js read before the app loaded. Each entry is given out once, because the local
// copy changes afterwards.
import { patience } from '../../lib/patience.ts'

interface EarlyRead {
  has(key: string): boolean
  get<T>(key: string): T | undefined
  delete(key: string): void
}

declare global {
  interface Window {
    /** Resolves to undefined if nothing is saved or the local copy can't be read. */
    earlyRead?: Promise<EarlyRead | undefined>
  }
}

/** A slow device answers within this time; a later answer would be out of date. */
const TIMEOUT_MS = 1_000

let dropped = false

/** Returns undefined if the key was not read; its `value` is undefined if nothing is saved under it. */
export async function takeEarlyRead<T>(key: string): Promise<{ value: T | undefined } | undefined> {
  const reading = globalThis.window?.earlyRead
  if (!reading || dropped) return undefined
  const answer = await Promise.race([reading.then(read => ({ read })), patience(TIMEOUT_MS)])
  if (!answer) dropEarlyRead()
  const read = answer?.read
  if (dropped || !read?.has(key)) return undefined
  const value = read.get<T>(key)
  read.delete(key)
  return { value }
}

/** Gives out nothing from now on: the entries belong to another user or are out of date. */
export function dropEarlyRead(): void {
  dropped = true
}
