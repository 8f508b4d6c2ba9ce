// Prepares the database's folder: initialises it, checks its version, and gives it to the user that runs PostgreSQL.
// Also creates the private folder for the socket.
import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { chmod, chown, lstat, mkdtemp, open, readdir, readFile, rename, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { DatabaseError, messageOf } from './database-error.ts'
import type { Binaries } from './embedded-binaries.ts'
import type { RunAs } from './embedded-user.ts'

const longestSocketDir = 80 // a socket's path may have at most 103 bytes

/** PostgreSQL must not see our PG… variables. */
export const childEnvironment = { PATH: process.env.PATH ?? '/usr/bin:/bin', LC_ALL: 'C' }

export async function prepareFolder(folder: string, binaries: Binaries, run_as: RunAs): Promise<void> {
  await removeLeftovers(folder)
  if ((await majorVersion(folder)) === undefined) await initialise(folder, binaries, run_as)
  const major = await majorVersion(folder)
  if (major !== run_as.major)
    throw new DatabaseError(
      `${folder} was made by PostgreSQL ${major}, and the embedded one is ${run_as.major}: ` +
        `go back to the release that made it, or move its contents to a server named by DATABASE_URL`,
    )
  if (run_as.owner) await giveTo(folder, run_as.owner)
}

export async function majorVersion(folder: string): Promise<number | undefined> {
  const text = await readFile(join(folder, 'PG_VERSION'), 'utf8').catch(() => undefined)
  return text === undefined ? undefined : Number(text)
}

/** What PostgreSQL wrote at its last start on `folder`; empty after a stop. Only the lock tells whether it still runs. */
export function readPidFile(folder: string): { pid: string; socket_dir: string; status: string } {
  let lines: string[] = []
  try {
    lines = readFileSync(join(folder, 'postmaster.pid'), 'utf8').split('\n')
  } catch {
    // PostgreSQL removes the file when it stops.
  }
  const [pid = '', , , , socket_dir = '', , , status = ''] = lines
  return { pid, socket_dir, status: status.trim() }
}

/** initdb works in another folder, so that a killed one leaves nothing that looks like a database. */
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
    const reason = messageOf(cause).trim().split('\n').at(-1)
    throw new DatabaseError(`No database could be made in ${folder}: ${reason}`, { cause })
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

/** Changes the folder itself last, because its owner tells whether the rest is done. */
export async function giveTo(path: string, owner: { uid: number; gid: number }): Promise<void> {
  if ((await stat(path)).uid === owner.uid) return
  for (const name of await readdir(path, { recursive: true })) {
    if ((await lstat(join(path, name))).isSymbolicLink()) continue
    await chown(join(path, name), owner.uid, owner.gid)
  }
  await chown(path, owner.uid, owner.gid)
  await chmod(path, 0o700)
}

export async function syncFolder(path: string): Promise<void> {
  const handle = await open(path)
  await handle.sync().finally(() => handle.close())
}

/** A fresh 0700 folder with a short name. */
export async function makeSocketDir({ owner }: RunAs): Promise<string> {
  // Root may have a private temporary folder that PostgreSQL's user can't enter.
  const enterable = !owner || ((await stat(tmpdir())).mode & 0o001) !== 0
  const usable = enterable && tmpdir().length < longestSocketDir
  const path = await mkdtemp(join(usable ? tmpdir() : '/tmp', 'channel-feed-'))
  if (owner) await chown(path, owner.uid, owner.gid)
  return path
}
