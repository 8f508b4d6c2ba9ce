// Controls disk-faults.c, which is compiled here and preloaded into PostgreSQL. Needs a C compiler.
import { execFileSync } from 'node:child_process'
import { chmod, open } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const SOURCE = fileURLToPath(new URL('disk-faults.c', import.meta.url))
/** As in disk-faults.c. */
const FIELDS = ['flush_ms', 'full', 'broken', 'slowed', 'refused', 'failed'] as const
const FULL = { tables: 1, log: 2 }

export type DiskFaults = Awaited<ReturnType<typeof makeDiskFaults>>
export type DiskFault = { flush_ms?: number; full?: keyof typeof FULL; broken?: boolean }

export async function makeDiskFaults(folder: string) {
  const library = join(folder, 'disk-faults.so')
  const control = join(folder, 'disk-faults')
  execFileSync('cc', ['-shared', '-fPIC', '-O2', '-o', library, SOURCE, '-ldl'])
  await chmod(library, 0o755)
  const file = await open(control, 'w+')
  await file.write(Buffer.alloc(4 * FIELDS.length))
  // PostgreSQL may run as another user.
  await chmod(control, 0o666)

  return {
    env: { LD_PRELOAD: library, DISK_FAULTS: control },
    /** Nothing is wrong without a fault. */
    async set({ flush_ms = 0, full, broken = false }: DiskFault): Promise<void> {
      const bytes = Buffer.alloc(12)
      for (const [i, value] of [flush_ms, full ? FULL[full] : 0, Number(broken)].entries())
        bytes.writeInt32LE(value, 4 * i)
      await file.write(bytes, 0, bytes.length, 0)
    },
    /** How often something was slowed, refused or failed. */
    async felt(): Promise<number> {
      const { buffer } = await file.read(Buffer.alloc(12), 0, 12, 12)
      return buffer.readInt32LE(0) + buffer.readInt32LE(4) + buffer.readInt32LE(8)
    },
    end: () => file.close(),
  }
}
