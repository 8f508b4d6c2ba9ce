// A primary and its standbys, each a PostgreSQL with its own folder and unix socket. The package has no
// pg_basebackup, so a standby begins with a copy of the primary's folder.
import { spawnSync } from 'node:child_process'
import { chmod, chown, mkdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { connect, type Sql } from '../../../server/database/connect.ts'
import { findBinaries } from '../../../server/database/embedded-binaries.ts'
import { childEnvironment, makeSocketDir, prepareFolder } from '../../../server/database/embedded-folder.ts'
import { chooseUser } from '../../../server/database/embedded-user.ts'
import { isDatabaseReachable } from '../../../server/database/probe.ts'
import { until } from '../wait.ts'
import { type DiskFaults, makeDiskFaults } from './disk-faults.ts'
import { makePostgresClock, type PostgresClock } from './postgres-clock.ts'
import { mountSmallDisk } from './small-disk.ts'
import type { Child, Supervisor } from './supervisor.ts'

const settings = {
  listen_addresses: '',
  unix_socket_permissions: '0777',
  shared_buffers: '16MB',
  max_connections: '200',
  // No need to wait for the disk: only processes are killed.
  fsync: 'off',
  // Before its first checkpoint, a promoted standby's control file names the old timeline.
  checkpoint_timeout: '1d',
  checkpoint_completion_target: '0.9',
  timezone: 'UTC',
}

/** `admin`: a pool on the database `postgres`, as superuser. */
export type Node = {
  name: string
  folder: string
  socket_dir: string
  admin: Sql
  process(): Child
  /** Ends all its processes at once. */
  kill(): Promise<void>
  /** After a kill, with the same folder and socket. */
  restart(): Promise<void>
}

export type Postgres = Awaited<ReturnType<typeof startPostgres>>
export type Standby = Awaited<ReturnType<Postgres['startStandby']>>

export type PostgresOptions = {
  /** `faulty`: it can be slow, full or broken. `small`: it can really be full. */
  disk?: 'faulty' | 'small'
  /** Whether its wall clock can be shifted. */
  clock?: boolean
  /** Further settings. */
  more?: Record<string, string>
}

/** `root`: a folder for its data, which `end` removes. */
export async function startPostgres(
  supervisor: Supervisor,
  root: string,
  { disk: disk_kind, clock: clock_shifts = false, more = {} }: PostgresOptions = {},
) {
  await mkdir(root, { recursive: true })
  await chmod(root, 0o755)
  const small_disk = disk_kind === 'small' ? await mountSmallDisk(supervisor, root) : null
  const binaries = await findBinaries(process.env.TEST_POSTGRES_PACKAGE)
  const primary_folder = join(root, 'primary')
  const run_as = await chooseUser(binaries, root, primary_folder)
  await prepareFolder(primary_folder, binaries, run_as)
  const disk: DiskFaults | null = disk_kind === 'faulty' ? await makeDiskFaults(root) : null
  const clock: PostgresClock | null = clock_shifts ? await makePostgresClock(root) : null
  const nodes: Node[] = []

  async function start(name: string, folder: string): Promise<Node> {
    const socket_dir = await makeSocketDir(run_as)
    await chmod(socket_dir, 0o755)
    const all = { ...settings, ...(disk && { fsync: 'on' }), ...small_disk?.settings, ...more }
    const flags = Object.entries(all).flatMap(([name, value]) => ['-c', `${name}=${value}`])
    const command = [...run_as.prefix, binaries.postgres, '-D', folder, '-k', socket_dir, ...flags]
    const launch = async () => {
      const child = await supervisor.start({
        name,
        command,
        env: { ...childEnvironment, ...disk?.env, ...clock?.env },
        cwd: '/',
        ids: run_as.ids,
        stop: 'QUIT',
      })
      await until(async () => {
        if (!child.alive()) throw new Error(`${name} ended:\n${child.output()}`)
        return isDatabaseReachable(socket_dir)
      }, `${name} answers`)
      return child
    }
    let child = await launch()
    const node: Node = {
      name,
      folder,
      socket_dir,
      admin: connect({ socket_dir }, { max: 2 }),
      process: () => child,
      kill: () => child.kill(),
      async restart() {
        child = await launch()
      },
    }
    nodes.push(node)
    return node
  }

  const primary = await start('postgres', primary_folder)
  let current = primary

  /** `from`: the folder of its primary's socket. */
  async function startStandby(from: string) {
    const name = `standby-${nodes.length}`
    const folder = join(root, name)
    const backup_label = await copyRunning(current, folder)
    const files = {
      backup_label,
      'standby.signal': '',
      'postgresql.auto.conf': `primary_conninfo = 'host=${from} user=app'\nwal_retrieve_retry_interval = '100ms'\n`,
    }
    for (const [name, text] of Object.entries(files)) {
      await writeFile(join(folder, name), text)
      if (run_as.owner) await chown(join(folder, name), run_as.owner.uid, run_as.owner.gid)
    }
    const node = await start(name, folder)
    return {
      ...node,
      /** Resolves when it has all commits of its primary. */
      async caughtUp(): Promise<void> {
        const [row] = await current.admin<{ end: string }[]>`select pg_current_wal_flush_lsn()::text as end`
        const end = row?.end ?? ''
        await until(async () => {
          const [{ reached } = { reached: false }] = await node.admin<{ reached: boolean }[]>`
            select coalesce(pg_last_wal_replay_lsn() >= ${end}::pg_lsn, false) as reached`
          return reached
        }, 'the standby has caught up')
      },
      /** Up to where it has its primary's log. */
      async lastWal(): Promise<string> {
        const [row] = await node.admin<{ wal: string }[]>`select pg_last_wal_replay_lsn()::text as wal`
        return row?.wal ?? ''
      },
      /** From now on its primary waits for it with every commit. */
      async makeSynchronous(): Promise<void> {
        const { admin } = current
        await admin`alter system set synchronous_standby_names = '*'`
        await admin`select pg_reload_conf()`
        await until(async () => {
          const rows = await admin`select from pg_stat_replication where sync_state = 'sync'`
          return rows.length > 0
        }, 'the standby is synchronous')
      },
      async promote(): Promise<void> {
        await node.admin`select pg_promote()`
        current = node
      },
    }
  }

  return {
    primary,
    /** The node that takes writes. */
    current: () => current,
    disk,
    small_disk,
    clock,
    startStandby,
    async end() {
      for (const { admin, kill, socket_dir } of nodes) {
        await kill()
        await admin.end({ timeout: 0 })
        await rm(socket_dir, { recursive: true, force: true })
      }
      await disk?.end()
      await small_disk?.end()
      await rm(root, { recursive: true, force: true, maxRetries: 5 })
    },
  }
}

/** Copies the folder of a running server. Returns the backup label that recovery starts from. */
async function copyRunning({ socket_dir, folder }: Node, to: string): Promise<string> {
  // PostgreSQL ties a backup to its session.
  const session = connect({ socket_dir }, { max: 1 })
  try {
    const [version] = await session<{ modern: boolean }[]>`
      select current_setting('server_version_num')::integer >= 150000 as modern`
    const [begin, end] = version?.modern
      ? [session`pg_backup_start('standby', true)`, session`pg_backup_stop(false)`]
      : [session`pg_start_backup('standby', true, false)`, session`pg_stop_backup(false, false)`]
    await session`select from ${begin}`
    // Files may appear and vanish; replaying the log repairs that.
    spawnSync('cp', ['-a', folder, to])
    await rm(join(to, 'postmaster.pid'), { force: true })
    const [stopped] = await session<{ labelfile: string }[]>`select labelfile from ${end}`
    return stopped?.labelfile ?? ''
  } finally {
    await session.end()
  }
}
