// PostgreSQL's disk is slow, full, or fails to flush. With a full or broken log PostgreSQL panics and may end.
import { isDatabaseReachable } from '../../../server/database/probe.ts'
import type { DiskFault } from '../cluster/disk-faults.ts'
import type { DiskTrouble } from '../faults.ts'
import { holdsWithin } from '../wait.ts'
import { countLines } from './connections.ts'
import { type Begin, type Stage, watchFor } from './nemesis.ts'

/** After a panic, PostgreSQL recovers by itself if its disk is well again. */
const BACK_MS = 3_000
const FILL_MS = 20

const FAULTS: Record<Exclude<DiskTrouble, 'really full'>, DiskFault> = {
  'slow flush': { flush_ms: 300 },
  'full tables': { full: 'tables' },
  'full log': { full: 'log' },
  'broken flush': { broken: true },
}

export const disk: Begin<'disk'> = async (stage, { how }) => {
  const node = stage.postgres.current()
  const started = node.process()
  const heal = how === 'really full' ? fillUp(stage) : await breakDisk(stage, FAULTS[how])
  let felt = 0
  return {
    async end() {
      felt = await heal()
      if (await holdsWithin(BACK_MS, () => node.process().alive() && isDatabaseReachable(node.socket_dir)))
        return
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

/** Ends the fault, and returns how often PostgreSQL felt it. */
type Heal = () => Promise<number>

async function breakDisk({ postgres: { disk } }: Stage, fault: DiskFault): Promise<Heal> {
  if (!disk) throw new Error('this PostgreSQL was started without a disk that can fail')
  const before = await disk.felt()
  await disk.set(fault)
  return async () => {
    const felt = (await disk.felt()) - before
    await disk.set({})
    return felt
  }
}

function fillUp(stage: Stage): Heal {
  const { small_disk } = stage.postgres
  if (!small_disk) throw new Error('this PostgreSQL was started without a small disk')
  const felt = countLines(stage, /No space left on device/)
  // PostgreSQL gives back some of what it has.
  const stop = watchFor(FILL_MS, () => small_disk.fill().then(() => []))
  return async () => {
    await stop()
    await small_disk.free()
    return felt()
  }
}
