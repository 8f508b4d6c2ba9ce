// Prepares the database's folder: initialises it, checks its version, and gives it to PostgreSQL's user if root runs the service.
// Also creates the private folder for the socket.
import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import {
  access,
  chmod,
  chown,
  constants,
  lstat,
  mkdtemp,
  open,
  readdir,
  readFile,
  rename,
  rm,
  stat,
} from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { DatabaseError, messageOf } from './database-error.ts'
import type { Binaries } from './embedded-binaries.ts'
import type { RunAs } from './embedded-user.ts'

const SOCKET_PATH_MAX = 103 // bytes, on macOS; Linux allows 107

/** PostgreSQL must not see our PG… variables. */
export const childEnvironment = { PATH: process.env.PATH ?? '/usr/bin:/bin', LC_ALL: 'C' }

export async function prepareFolder(folder: string, binaries: Binaries, run_as: RunAs): Promise<void> {
  await removeLeftovers(folder)
  if ((await majorVersion(folder)) === undefined) await initialise(folder, binaries, run_as)
  const major = await majorVersion(folder)
  if (major !== run_as.major)
    throw new DatabaseError(
      `${folder} belongs to PostgreSQL ${major}, but this release of Channel Feed runs ${run_as.major}: go back to a ` +
        `release with ${major}, or dump the database there and load it into the server that DATABASE_URL names`,
    )
  if (run_as.owner) await giveTo(folder, run_as.owner)
}

export async function majorVersion(folder: string): Promise<number | undefined> {
  const text = await readFile(join(folder, 'PG_VERSION'), 'utf8').catch(() => undefined)
  return text === undefined ? undefined : Number(text)
}

/** PostgreSQL's pid file; all fields are empty if there is none. Only the lock tells whether PostgreSQL still runs. */
export function readPidFile(folder: string): { pid: string; socket_dir: string; status: string } {
  let lines: string[] = []
  try {
    lines = readFileSync(join(folder, 'postmaster.pid'), 'utf8').split('\n')
  } catch {
    // PostgreSQL removes the file when it stops.
  }
  const [pid = '', _folder, _start, _port, socket_dir = '', _address, _memory, status = ''] = lines
  return { pid, socket_dir, status: status.trim() }
}

/** initdb works in a temporary folder that is renamed at the end: if it is killed, `folder` doesn't exist. */
async function initialise(folder: string, { initdb }: Binaries, run_as: RunAs): Promise<void> {
  const fresh = await mkdtemp(`${folder}.new-`)
  try {
    if (run_as.owner) await chown(fresh, run_as.owner.uid, run_as.owner.gid)
    const options = ['-U', 'app', '-A', 'trust', '-E', 'UTF8', '--locale=C.UTF-8']
    const [file = initdb, ...args] = [...run_as.prefix, initdb, ...options, '-D', fresh]
    await promisify(execFile)(file, args, { ...run_as.ids, cwd: '/', env: childEnvironment })
    await rename(fresh, folder)
    await syncFolder(dirname(folder))
  } catch (cause) {
    await rm(fresh, { recursive: true, force: true })
    const reason = messageOf(cause).trim().split('\n').at(-1) ?? ''
    const unnamed = /effective user ID/.test(reason)
      ? ' (PostgreSQL needs a user with an entry in /etc/passwd: run the service as one, or set DATABASE_URL)'
      : ''
    throw new DatabaseError(`No database could be made in ${folder}: ${reason}${unnamed}`, { cause })
  }
}

async function removeLeftovers(folder: string): Promise<void> {
  const parent = dirname(folder)
  for (const name of await readdir(parent)) {
    if (!name.startsWith(`${basename(folder)}.new-`)) continue
    // Retries, because the initdb of a killed service may still add files.
    await rm(join(parent, name), { recursive: true, force: true, maxRetries: 10 })
  }
}

/** Changes the owner of `path` itself last: if it is right, an earlier call did all the rest. */
export async function giveTo(path: string, owner: { uid: number; gid: number }): Promise<void> {
  if ((await stat(path)).uid === owner.uid) return
  for (const name of await readdir(path, { recursive: true })) {
    // `chown` would follow the link and change a file outside of the folder.
    if ((await lstat(join(path, name))).isSymbolicLink()) continue
    await chown(join(path, name), owner.uid, owner.gid)
  }
  await chmod(path, 0o700)
  await chown(path, owner.uid, owner.gid)
}

export async function syncFolder(path: string): Promise<void> {
  const handle = await open(path)
  await handle.sync().finally(() => handle.close())
}

/** A new private folder with a short path (`mkdtemp` makes it 0700). */
export async function makeSocketDir({ owner }: RunAs): Promise<string> {
  const parent = (await isUsable(tmpdir(), owner)) ? tmpdir() : '/tmp'
  try {
    const path = await mkdtemp(join(parent, 'channel-feed-'))
    if (owner) await chown(path, owner.uid, owner.gid)
    return path
  } catch (cause) {
    throw new DatabaseError(
      `No folder for the database's socket could be made in ${parent} (${messageOf(cause)}): set TMPDIR to a folder that can be written`,
      { cause },
    )
  }
}

async function isUsable(folder: string, owner: RunAs['owner']): Promise<boolean> {
  if (Buffer.byteLength(join(folder, 'channel-feed-XXXXXX', '.s.PGSQL.5432')) > SOCKET_PATH_MAX) return false
  const { mode } = await stat(folder).catch(() => ({ mode: 0 }))
  const writable = await access(folder, constants.W_OK).then(
    () => true,
    () => false,
  )
  // Root may have a private temporary folder that PostgreSQL's user can't enter.
  return writable && (!owner || (mode & 0o001) !== 0)
}
