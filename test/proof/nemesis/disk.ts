// PostgreSQL's disk is slow, full, or fails to flush. With a full or broken log PostgreSQL panics and may end.
import { isReachable } from '../../../server/database/probe.ts'
import type { DiskFault } from '../cluster/disk-faults.ts'
import type { DiskTrouble } from '../faults.ts'
import { holdsWithin } from '../wait.ts'
import type { Begin } from './nemesis.ts'

/** After a panic, PostgreSQL recovers by itself if its disk is well again. */
const BACK_MS = 3_000

const FAULTS: Record<DiskTrouble, DiskFault> = {
  'slow flush': { flush_ms: 300 },
  'full tables': { full: 'tables' },
  'full log': { full: 'log' },
  'broken flush': { broken: true },
}

export const disk: Begin<'disk'> = async ({ postgres }, { how }) => {
  const control = postgres.disk
  if (!control) throw new Error('this PostgreSQL was started without a disk that can fail')
  const before = await control.felt()
  const node = postgres.current()
  const started = node.process()
  await control.set(FAULTS[how])
  let felt = 0
  return {
    async end() {
      felt = (await control.felt()) - before
      await control.set({})
      if (await holdsWithin(BACK_MS, () => node.process().alive() && isReachable(node.socket_dir))) return
      // It ended, or hangs in a panic: an operator would start it again.
      await node.kill()
      await node.restart()
    },
    evidence() {
      const died = node.process() === started ? '' : ', and PostgreSQL was started again'
      return felt > 0 ? `${felt} flushes or writes met a disk with: ${how}${died}` : null
    },
  }
}
