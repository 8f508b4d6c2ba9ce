// SIGTERM of an instance while writes wait for a lock: it must finish them. It starts again at the end.
import { setTimeout as delay } from 'node:timers/promises'
import { now } from '../records.ts'
import { lockedRow } from './locked-row.ts'
import { type Begin, instanceOf } from './nemesis.ts'

/** So long the writes wait on, so that a service that ignores them has ended before. */
const HELD_MS = 500

export const stop: Begin<'stop'> = async (stage, fault) => {
  const instance = instanceOf(stage, fault)
  let stopped_at: number | undefined
  const lock = await lockedRow(stage, { ...fault, kind: 'locked row' })
  return {
    async end() {
      const stopped = instance.process()
      stopped.signal('SIGTERM')
      await delay(HELD_MS)
      await lock.end()
      await stopped.exited
      stopped_at = now()
      await instance.restart()
    },
    evidence: lock.evidence,
    stopped_at: () => stopped_at,
  }
}
