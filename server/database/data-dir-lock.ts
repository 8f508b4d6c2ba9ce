// The lock on DATA_DIR: one instance at a time, across containers and pid namespaces. The kernel ties the lock to the
// open file, which PostgreSQL inherits, so the lock ends when this process and all of its PostgreSQL have ended.
import { spawnSync } from 'node:child_process'
import { closeSync, constants, fchownSync, openSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { DatabaseError, messageOf } from './database-error.ts'
import { readPidFile } from './embedded-folder.ts'

export type DataDirLock = {
  /** Passed only to children that must hold the lock too. */
  fd: number
  release(): void
}

/** The PostgreSQL of a killed instance stops within this time. Until then the folder is locked. */
const handoverTime = 3_000
const shutdownTime = 60_000

export async function lockDataDir(data_dir: string): Promise<DataDirLock> {
  const begin = performance.now()
  for (;;) {
    const lock = tryLockDataDir(data_dir)
    if (lock) return lock
    const { status } = readPidFile(join(data_dir, 'postgres'))
    const limit = status === 'stopping' ? shutdownTime : handoverTime
    if (performance.now() - begin > limit) throw inUse(data_dir)
    await delay(50)
  }
}

export function inUse(data_dir: string): DatabaseError {
  return new DatabaseError(
    `${data_dir} is in use by another instance: stop that one, or set DATA_DIR to another folder`,
  )
}

/** Null if another instance holds the lock. */
export function tryLockDataDir(data_dir: string): DataDirLock | null {
  const fd = openLockFile(data_dir)
  let open = true
  const release = () => {
    if (open) closeSync(fd)
    open = false
  }
  let taken = false
  try {
    taken = takeLock(fd, data_dir)
  } finally {
    if (!taken) release()
  }
  return taken ? { fd, release } : null
}

const { O_CREAT, O_NOFOLLOW, O_RDWR } = constants

function openLockFile(data_dir: string): number {
  const file = join(data_dir, 'lock')
  try {
    const fd = openSync(file, O_RDWR | O_CREAT | O_NOFOLLOW, 0o600)
    // Root may restore a backup for a service that runs as another user.
    const { uid, gid } = statSync(data_dir)
    if (process.getuid?.() === 0) fchownSync(fd, uid, gid)
    return fd
  } catch (cause) {
    throw new DatabaseError(`DATA_DIR ${data_dir} cannot be used (${messageOf(cause)})`, { cause })
  }
}

/**
 * Node can't lock files, so a program locks an inherited descriptor; the lock outlives the program. Linux has flock,
 * macOS has perl. Both exit with 1 and print nothing if the lock is taken.
 */
const programs = [
  ['flock', '-n', '3'],
  [
    'perl',
    '-e',
    'open F, "+<&=3" or die "$!\\n"; flock(F, 6) and exit 0; $!{EWOULDBLOCK} and exit 1; die "$!\\n"',
  ],
]

function takeLock(fd: number, data_dir: string): boolean {
  for (const [program = '', ...args] of programs) {
    const { error, status, stderr } = spawnSync(program, args, {
      stdio: ['ignore', 'ignore', 'pipe', fd],
      encoding: 'utf8',
    })
    if (error) continue
    if (status === 0) return true
    if (status === 1 && stderr === '') return false
    throw new DatabaseError(
      `DATA_DIR ${data_dir} cannot be locked (${program}: ${stderr.trim() || `status ${status}`})`,
    )
  }
  throw new DatabaseError(
    `DATA_DIR ${data_dir} cannot be locked without flock (util-linux) or perl: install one of them, or set DATABASE_URL`,
  )
}
