// Work that one tab does at a time.
import { leavingSignal, pageShown } from './page-life.ts'

/** Locks need https or localhost, and storage. Without them two tabs may work at once. */
export async function inOneTab(name: string, work: () => Promise<void>): Promise<void> {
  await pageShown()
  const locks = browserLocks()
  if (!locks) return work()
  const signal = leavingSignal()
  const left = new Promise<void>(resolve => signal.addEventListener('abort', () => resolve()))
  let working: Promise<void> | undefined
  try {
    // A page that is left gives the lock back at once, because it may be kept for the way back.
    await locks.request(name, { signal }, () => {
      working = work()
      return Promise.race([working, left])
    })
    await working
  } catch (error) {
    if (working) throw error
    if (signal.aborted) return inOneTab(name, work)
    if (!(error instanceof DOMException && error.name === 'SecurityError')) throw error
    await work()
  }
}

function browserLocks(): LockManager | undefined {
  try {
    return navigator.locks
  } catch {
    return undefined
  }
}
