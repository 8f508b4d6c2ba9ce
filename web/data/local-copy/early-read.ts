// Entries of the local copy that start.js read before the app loaded. Each can be taken once: the copy changes later.
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

/** Long enough for a slow device. A later result would be out of date. */
const TIMEOUT_MS = 1_000

/** Returns undefined if start.js didn't read the key. `value` is undefined if nothing is saved under it. */
export async function takeEarlyRead<T>(key: string): Promise<{ value: T | undefined } | undefined> {
  const reading = globalThis.window?.earlyRead
  if (!reading) return undefined
  const read = await Promise.race([reading, patience(TIMEOUT_MS)])
  if (!read) dropEarlyRead()
  if (!window.earlyRead || !read?.has(key)) return undefined
  const value = read.get<T>(key)
  read.delete(key)
  return { value }
}

export function dropEarlyRead(): void {
  delete window.earlyRead
}
