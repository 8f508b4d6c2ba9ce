// What start.js has read of the channel's local copy while the app was on its way. Each entry is given to the
// first who asks for it, and to nobody later: the copy moves on.

import { outOfPatience } from './patient-store.ts'

interface FirstRead {
  has(key: string): boolean
  get<T>(key: string): T | undefined
  delete(key: string): void
  clear(): void
}

declare global {
  interface Window {
    /** Undefined in it: nothing is kept, or it could not be read. */
    firstRead?: Promise<FirstRead | undefined>
  }
}

/** `value` is undefined where nothing is kept under the key, or nobody answers; the whole where it was not read. */
export async function takeFirst<T>(key: string): Promise<{ value: T | undefined } | undefined> {
  const reading = globalThis.window?.firstRead
  if (!reading) return undefined
  const answer = await Promise.race([reading.then(read => ({ read })), outOfPatience()])
  if (!answer) return { value: undefined }
  const { read } = answer
  if (!read?.has(key)) return undefined
  const value = read.get<T>(key)
  read.delete(key)
  return { value }
}

/** It was another user's. */
export async function dropFirst(): Promise<void> {
  const read = await Promise.race([window.firstRead, outOfPatience()])
  read?.clear()
}
