// Opens the embedded database of a folder for a command: that of a running service, or else it is started.
import { join, resolve } from 'node:path'
import { tryLockDataDir } from './data-dir-lock.ts'
import { DatabaseError } from './database-error.ts'
import { type Embedded, type EmbeddedOptions, startEmbedded } from './embedded.ts'
import { majorVersion, readPidFile } from './embedded-folder.ts'
import { isDatabaseReachable } from './probe.ts'

/** `stop` stops the database only if this started it. */
export async function openEmbedded(options: EmbeddedOptions): Promise<Embedded> {
  const { data_dir } = options
  const root = resolve(data_dir)
  const folder = join(root, 'postgres')
  if ((await majorVersion(folder)) === undefined)
    throw new DatabaseError(`There is no embedded database in ${data_dir}`)
  return (await findRunning(root, folder)) ?? (await startEmbedded(options))
}

/** The database of a running service; undefined if the folder isn't in use. */
async function findRunning(root: string, folder: string): Promise<Embedded | undefined> {
  const lock = tryLockDataDir(root)
  lock?.release()
  if (lock) return undefined
  const { socket_dir } = readPidFile(folder)
  if (socket_dir !== '' && (await isDatabaseReachable(socket_dir)))
    return { socket_dir, stop: async () => {} }
  throw new DatabaseError(
    `${root} is in use, and its database can't be reached from here: run this command where the service runs, or stop it`,
  )
}
