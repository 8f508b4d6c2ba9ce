// Gives the instances their own clock and timers. What an instance does runs in its context, so its timers can be told
// from those of the database driver and of the test, which stay real.
import { AsyncLocalStorage } from 'node:async_hooks'
import { syncBuiltinESMExports } from 'node:module'
import promised from 'node:timers/promises'

export type TimerOwner = {
  /** `what`: for the trace of a failed run. */
  later(what: string, ms: number, work: () => void): void
  repeat(work: () => void): void
  elapsed(): number
}

type Work = (...args: unknown[]) => void

class Timer {
  cancelled = false
  unref(): this {
    return this
  }
}

const owners = new AsyncLocalStorage<TimerOwner | null>()

/** Also what `work` starts and awaits runs in the owner's context. */
export const runAs = <T>(owner: TimerOwner, work: () => T): T => owners.run(owner, work)

export const runOutside = <T>(work: () => T): T => owners.run(null, work)

/** Returns the function that gives them back. */
export function takeTimers(): () => void {
  const real = { setImmediate, setTimeout, setInterval, clearTimeout, clearInterval }
  const delay = promised.setTimeout
  const now = performance.now.bind(performance)
  const clear = (cancel: (timer: NodeJS.Timeout) => void) => (timer: NodeJS.Timeout | Timer) => {
    if (timer instanceof Timer) timer.cancelled = true
    else cancel(timer)
  }

  Object.assign(globalThis, {
    setImmediate(work: Work, ...args: unknown[]) {
      const owner = owners.getStore()
      return owner ? owner.later('immediate', 0, () => work(...args)) : real.setImmediate(work, ...args)
    },
    setTimeout(work: Work, ms = 0, ...args: unknown[]) {
      const owner = owners.getStore()
      if (!owner) return real.setTimeout(work, ms, ...args)
      const timer = new Timer()
      owner.later(`timer of ${ms} ms`, ms, () => timer.cancelled || work(...args))
      return timer
    },
    setInterval(work: Work, ms = 0, ...args: unknown[]) {
      const owner = owners.getStore()
      if (!owner) return real.setInterval(work, ms, ...args)
      const timer = new Timer()
      owner.repeat(() => timer.cancelled || work(...args))
      return timer
    },
    clearTimeout: clear(real.clearTimeout),
    clearInterval: clear(real.clearInterval),
  })
  Object.assign(promised, {
    setTimeout(ms = 0, value?: unknown) {
      const owner = owners.getStore()
      if (!owner) return delay(ms, value)
      return new Promise(resolve => owner.later(`pause of ${ms} ms`, ms, () => resolve(value)))
    },
  })
  syncBuiltinESMExports()
  Object.defineProperty(performance, 'now', {
    configurable: true,
    value: () => owners.getStore()?.elapsed() ?? now(),
  })

  return () => {
    Object.assign(globalThis, real)
    Object.assign(promised, { setTimeout: delay })
    syncBuiltinESMExports()
    Reflect.deleteProperty(performance, 'now')
  }
}
