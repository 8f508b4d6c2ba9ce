// A disk of 64 MB, which a fault fills to the last byte. Only root can mount it.
import { open, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { Supervisor } from './supervisor.ts'

// Its process unmounts it when the run ends, in whatever way.
const mount = `
trap 'umount -l "$0"; kill $!; exit' TERM
mount -t tmpfs -o size=64m,mode=755 tmpfs "$0" && echo mounted
while :; do sleep 1000 & wait $!; done`

/** PostgreSQL would take half of it for its log. */
const settings = { wal_init_zero: 'off', wal_recycle: 'off', max_wal_size: '32MB', min_wal_size: '32MB' }

export type SmallDisk = Awaited<ReturnType<typeof mountSmallDisk>>

export async function mountSmallDisk(supervisor: Supervisor, folder: string) {
  const command = ['sh', '-c', mount, folder]
  const mounted = await supervisor.start({ name: 'small-disk', command, stop: 'TERM' })
  await mounted.line(/^mounted$/)
  const filler = join(folder, 'filler')
  return {
    settings,
    /** Takes what is free. */
    async fill(): Promise<void> {
      const file = await open(filler, 'a')
      try {
        for (const size of [64 * 1024, 1]) while (await fits(file.appendFile(Buffer.alloc(size))));
      } finally {
        await file.close()
      }
    },
    free: () => rm(filler, { force: true }),
    end: () => mounted.kill(),
  }
}

/** Whether the disk has room for it. */
async function fits(writing: Promise<void>): Promise<boolean> {
  try {
    await writing
    return true
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOSPC') return false
    throw error
  }
}
