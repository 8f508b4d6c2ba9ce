// Chooses the user that runs PostgreSQL, which refuses to run as root. An ordinary user stays. Root becomes the data
// folder's owner or `nobody`, with setpriv if that user can't reach the binaries or the data (a project in a 0700 home).
import { spawnSync } from 'node:child_process'
import { readFile, stat } from 'node:fs/promises'
import { DatabaseError } from './database-error.ts'
import type { Binaries } from './embedded-binaries.ts'

type Owner = { uid: number; gid: number }

export type RunAs = {
  /** Put before the program and its arguments. */
  prefix: string[]
  /** For spawn; empty for this process's own user. */
  ids: { uid?: number; gid?: number }
  /** The user who must own the data; undefined if the owner stays. */
  owner: Owner | undefined
  major: number
}

type Way = Omit<RunAs, 'major'>

/** For setpriv: the kernel stops PostgreSQL if its watchdog is killed. macOS and util-linux before 2.33 lack this. */
const ties = [['--pdeathsig=TERM'], []]

/** `data_dir` exists; the database's `folder` in it may not. */
export async function chooseUser(binaries: Binaries, data_dir: string, folder: string): Promise<RunAs> {
  const isRoot = process.getuid?.() === 0
  const owner = isRoot ? ((await presentOwner(folder)) ?? (await nobody())) : undefined
  const ways = ties.flatMap(tie => waysToRun(tie, owner))
  const reasons = new Set<string>()
  for (const way of ways) {
    const probe = probeVersion(binaries, data_dir, way)
    if ('major' in probe) return { ...way, major: probe.major }
    reasons.add(probe.reason)
  }
  const why = [...reasons].join('; ')
  throw new DatabaseError(
    owner
      ? `PostgreSQL does not run as root, and running it as user ${owner.uid} failed (${why}): ` +
          'start the service as an ordinary user, or set DATABASE_URL'
      : `The embedded PostgreSQL does not run on this machine (${why}): set DATABASE_URL`,
  )
}

function waysToRun(tie: string[], owner: RunAs['owner']): Way[] {
  const prefix = tie.length > 0 ? ['setpriv', ...tie, '--'] : []
  if (!owner) return [{ prefix, ids: {}, owner }]
  return [
    { prefix, ids: owner, owner },
    { prefix: ['setpriv', ...tie, ...asUser(owner), '--'], ids: {}, owner },
  ]
}

async function presentOwner(folder: string): Promise<Owner | undefined> {
  const present = await stat(folder).catch(() => undefined)
  return present && present.uid !== 0 ? { uid: present.uid, gid: present.gid } : undefined
}

// initdb needs a user with an entry in the password file.
async function nobody(): Promise<Owner> {
  const file = await readFile('/etc/passwd', 'utf8').catch(() => '')
  const [, uid = 0, gid = 0] = /^nobody:[^:]*:(\d+):(\d+)/m.exec(file)?.map(Number) ?? []
  if (uid > 0 && gid > 0) return { uid, gid }
  throw new DatabaseError(
    'PostgreSQL does not run as root, and there is no user nobody: start the service as an ordinary user, or set DATABASE_URL',
  )
}

function asUser({ uid, gid }: Owner): string[] {
  return [
    `--reuid=${uid}`,
    `--regid=${gid}`,
    '--clear-groups',
    '--securebits=+no_setuid_fixup',
    '--inh-caps=+dac_override',
    '--ambient-caps=+dac_override',
  ]
}

function probeVersion(
  { postgres }: Binaries,
  data_dir: string,
  { prefix, ids }: Way,
): { major: number } | { reason: string } {
  const walk = 'cd "$1" && shift && exec "$@" --version'
  const [file = 'sh', ...args] = [...prefix, 'sh', '-c', walk, 'sh', data_dir, postgres]
  const { error, status, stdout, stderr } = spawnSync(file, args, { ...ids, cwd: '/', encoding: 'utf8' })
  const major = Number(/\(PostgreSQL\) (\d+)/.exec(stdout ?? '')?.[1])
  if (status === 0 && major > 0) return { major }
  return { reason: error?.message ?? (stderr.trim().split('\n').at(-1) || `status ${status}`) }
}
