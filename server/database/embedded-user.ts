// PostgreSQL refuses to run as root. Decides which user it runs as; changes nothing on the machine.
// An ordinary user: as it is. Root: as the data folder's owner or `nobody`, with setpriv where that
// user may not walk to the binaries or the data (a project under a 0700 home).
import { spawnSync } from 'node:child_process'
import { readFile, stat } from 'node:fs/promises'
import { DatabaseError } from './database-error.ts'
import type { Binaries } from './embedded-binaries.ts'

export type RunAs = {
  /** Put before the program and its arguments. */
  prefix: string[]
  /** For spawn; empty where this process's own user runs it. */
  ids: { uid?: number; gid?: number }
  /** Who must own the data; undefined where nothing needs to change hands. */
  owner: { uid: number; gid: number } | undefined
  /** The binaries' major version. */
  major: number
}

/** `data_dir` exists; `folder` (the database's own, inside) may not yet. */
export async function chooseUser(binaries: Binaries, data_dir: string, folder: string): Promise<RunAs> {
  if (process.getuid?.() !== 0) {
    const probe = probeVersion(binaries, data_dir, [], {})
    if ('major' in probe) return { prefix: [], ids: {}, owner: undefined, major: probe.major }
    throw new DatabaseError(
      `The embedded PostgreSQL does not run on this machine (${probe.reason}): set DATABASE_URL`,
    )
  }

  const owner = (await presentOwner(folder)) ?? (await nobody())
  const plain = probeVersion(binaries, data_dir, [], owner)
  if ('major' in plain) return { prefix: [], ids: owner, owner, major: plain.major }

  const prefix = setpriv(owner)
  const privileged = probeVersion(binaries, data_dir, prefix, {})
  if ('major' in privileged) return { prefix, ids: {}, owner, major: privileged.major }

  throw new DatabaseError(
    `PostgreSQL does not run as root, and running it as user ${owner.uid} failed (${plain.reason}; ` +
      `${privileged.reason}): start the service as an ordinary user, or set DATABASE_URL`,
  )
}

async function presentOwner(folder: string): Promise<{ uid: number; gid: number } | undefined> {
  const present = await stat(folder).catch(() => undefined)
  return present && present.uid !== 0 ? { uid: present.uid, gid: present.gid } : undefined
}

// initdb needs a user with an entry in the password file.
async function nobody(): Promise<{ uid: number; gid: number }> {
  const file = await readFile('/etc/passwd', 'utf8').catch(() => '')
  const fields = file
    .split('\n')
    .map(line => line.split(':'))
    .find(([name]) => name === 'nobody')
  const [uid, gid] = [Number(fields?.[2]), Number(fields?.[3])]
  if (uid > 0 && gid > 0) return { uid, gid }
  throw new DatabaseError(
    'PostgreSQL does not run as root, and there is no user nobody: start the service as an ordinary user, or set DATABASE_URL',
  )
}

function setpriv({ uid, gid }: { uid: number; gid: number }): string[] {
  return [
    'setpriv',
    `--reuid=${uid}`,
    `--regid=${gid}`,
    '--clear-groups',
    '--securebits=+no_setuid_fixup',
    '--inh-caps=+dac_override',
    '--ambient-caps=+dac_override',
    '--',
  ]
}

function probeVersion(
  { postgres }: Binaries,
  data_dir: string,
  prefix: string[],
  ids: RunAs['ids'],
): { major: number } | { reason: string } {
  const walk = 'cd "$1" && shift && exec "$@" --version'
  const [file = 'sh', ...args] = [...prefix, 'sh', '-c', walk, 'sh', data_dir, postgres]
  const { error, status, stdout, stderr } = spawnSync(file, args, { ...ids, cwd: '/', encoding: 'utf8' })
  const major = Number(/\(PostgreSQL\) (\d+)/.exec(stdout ?? '')?.[1])
  if (status === 0 && major > 0) return { major }
  return { reason: error?.message ?? (stderr.trim().split('\n').at(-1) || `status ${status}`) }
}
