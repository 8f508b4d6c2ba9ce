// Is a PostgreSQL at work on a folder? Reads its postmaster.pid and looks at the process that it names:
// after a crash the file stays behind, and in a container the same number soon belongs to another program.

import { execFile } from 'node:child_process'
import { readFile, rm, stat } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { promisify } from 'node:util'

export type Running = { pid: number; socket_dir: string; status: string }

/** The server that runs on `folder`, or undefined. */
export async function findRunning(folder: string): Promise<Running | undefined> {
  const { pid, lines } = await readPidFile(folder)
  if (pid === undefined || !(await isPostgresOn(folder, pid))) return undefined
  return { pid, socket_dir: lines[4] ?? '', status: (lines[7] ?? '').trim() }
}

/**
 * Removes a postmaster.pid whose number another program has now; PostgreSQL would refuse to start over it.
 * One whose process is gone stays: PostgreSQL still learns from it whether backends of the last run linger.
 */
export async function removeStalePidFile(folder: string): Promise<void> {
  const { pid } = await readPidFile(folder)
  if (pid === undefined || !isAlive(pid) || (await isPostgresOn(folder, pid))) return
  await rm(join(folder, 'postmaster.pid'), { force: true })
}

async function readPidFile(folder: string): Promise<{ pid: number | undefined; lines: string[] }> {
  const lines = (await readFile(join(folder, 'postmaster.pid'), 'utf8').catch(() => '')).split('\n')
  const pid = Number(lines[0])
  return { pid: pid > 0 ? pid : undefined, lines }
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM'
  }
}

async function isPostgresOn(folder: string, pid: number): Promise<boolean> {
  const [program = '', ...args] = await commandLine(pid)
  if (basename(program) !== 'postgres') return false
  // A server's working directory is its data folder; compared by inode, whatever path leads there.
  const [cwd, own] = await Promise.all([
    stat(`/proc/${pid}/cwd`).catch(() => undefined),
    stat(folder).catch(() => undefined),
  ])
  if (cwd && own) return cwd.dev === own.dev && cwd.ino === own.ino
  return args.includes(folder)
}

async function commandLine(pid: number): Promise<string[]> {
  if (process.platform === 'linux') {
    return (await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '')).split('\0')
  }
  const ps = await promisify(execFile)('ps', ['-ww', '-o', 'command=', '-p', String(pid)]).catch(
    () => undefined,
  )
  return (ps?.stdout.trim() ?? '').split(' ')
}
