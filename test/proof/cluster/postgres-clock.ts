// Shifts the wall clock of PostgreSQL with libfaketime, which Debian has in the package of that name.
import { existsSync } from 'node:fs'
import { chmod, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

const LIBRARY = '/usr/lib/x86_64-linux-gnu/faketime/libfaketime.so.1'

export const hasFaketime = () => existsSync(LIBRARY)

export type PostgresClock = Awaited<ReturnType<typeof makePostgresClock>>

export async function makePostgresClock(folder: string) {
  const file = join(folder, 'clock')
  const shift = (shift_s: number) => writeFile(file, `${shift_s < 0 ? '' : '+'}${shift_s}\n`)
  await shift(0)
  // PostgreSQL may run as another user.
  await chmod(file, 0o644)
  return {
    env: {
      LD_PRELOAD: LIBRARY,
      FAKETIME_TIMESTAMP_FILE: file,
      FAKETIME_NO_CACHE: '1',
      FAKETIME_DONT_FAKE_MONOTONIC: '1',
      FAKETIME_DISABLE_SHM: '1',
    },
    shift,
  }
}
