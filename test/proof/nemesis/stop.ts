// SIGTERM of an instance while writes wait for a lock: it must finish them. It starts again at the end.
import { setTimeout as delay } from 'node:timers/promises'
import { lockedRow } from './locked-row.ts'
import { type Begin, instanceOf } from './nemesis.ts'

/** So long the writes wait on, so that a service that ignores them has ended before. */
const HELD_MS = 500

export const stop: Begin<'stop'> = async (stage, fault) => {
  const instance = instanceOf(stage, fault)
  const lock = await lockedRow(stage, { ...fault, kind: 'locked row' })
  return {
    async end() {
      const stopped = instance.process()
      stopped.signal('SIGTERM')
      await delay(HELD_MS)
      await lock.end()
      await stopped.exited
      await instance.restart()
    },
    evidence: lock.evidence,
  }
}
