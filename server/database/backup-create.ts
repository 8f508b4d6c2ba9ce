// Copies an embedded database and the generated secrets into one tar.gz, with PostgreSQL's low-level backup API.
// The database may be in use. If it is stopped, it is started for the backup.
import { createWriteStream } from 'node:fs'
import { type FileHandle, open, readdir, readFile, rename, rm } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { createGzip } from 'node:zlib'
import { type Pack, pack } from 'tar-stream'
import { connect, type Sql } from './connect.ts'
import { DatabaseError } from './database-error.ts'
import type { EmbeddedOptions } from './embedded.ts'
import { syncFolder } from './embedded-folder.ts'
import { openEmbedded } from './open-embedded.ts'

// Contents that PostgreSQL creates again, according to its chapter on low-level backups.
const emptyFolders = new Set(
  'pg_dynshmem pg_notify pg_replslot pg_serial pg_snapshots pg_stat_tmp pg_subtrans pg_wal'.split(' '),
)
const leftOut = /^(postmaster\.(pid|opts)|pg_internal\.init.*|pgsql_tmp.*|restored|current_logfiles)$/
const control = 'global/pg_control'

export async function createBackup({ file, ...options }: EmbeddedOptions & { file: string }): Promise<void> {
  const { data_dir } = options
  const root = resolve(data_dir)
  const folder = join(root, 'postgres')
  const server = await openEmbedded(options)
  const sql = connect({ socket_dir: server.socket_dir }, { max: 1 })
  const partial = `${resolve(file)}.partial`
  try {
    await rm(partial, { force: true })
    const archive = pack()
    const written = pipeline(archive, createGzip(), createWriteStream(partial, { mode: 0o600, flush: true }))
    const filled = fill(archive, root, folder, sql).catch(error => {
      archive.destroy(error)
      throw error
    })
    await Promise.all([filled, written])
    await rename(partial, resolve(file))
    await syncFolder(dirname(resolve(file)))
  } catch (error) {
    await rm(partial, { force: true })
    throw error
  } finally {
    await sql.end({ timeout: 5 })
    await server.stop()
  }
}

/** `session`: a pool with one connection, because PostgreSQL ties the backup and the replication slot to a session. */
async function fill(archive: Pack, root: string, folder: string, session: Sql): Promise<void> {
  const slot = `backup_${process.pid}`
  const [version] = await session<{ modern: boolean }[]>`
    select current_setting('server_version_num')::integer >= 150000 as modern`
  await session`select pg_create_physical_replication_slot(${slot}, true, true)`
  if (version?.modern) await session`select pg_backup_start('backup', true)`
  else await session`select pg_start_backup('backup', true, false)`

  await addFolder(archive, folder, '')
  archive.entry({ name: `postgres/${control}`, mode: 0o600 }, await readWhole(join(folder, control)))

  const end = version?.modern ? session`pg_backup_stop(false)` : session`pg_stop_backup(false, false)`
  const [stop] = await session<{ last: string; labelfile: string }[]>`
    select pg_walfile_name(lsn) as last, labelfile from ${end}`
  const first = /^START WAL LOCATION: .*\(file ([0-9A-F]{24})\)/m.exec(stop?.labelfile ?? '')?.[1]
  if (!stop || !first) throw new DatabaseError('PostgreSQL gave no backup label')
  for (const name of (await readdir(join(folder, 'pg_wal'))).sort()) {
    const isSegment = /^[0-9A-F]{24}$/.test(name)
    if (isSegment ? name >= first && name <= stop.last : name.endsWith('.history'))
      await addFile(archive, join(folder, 'pg_wal', name), `postgres/pg_wal/${name}`)
  }
  await addFile(archive, join(root, 'secrets.json'), 'secrets.json')
  // Comes last, so an archive with a label is complete.
  archive.entry({ name: 'postgres/backup_label', mode: 0o600 }, stop.labelfile)
  archive.finalize()
}

async function addFolder(archive: Pack, folder: string, path: string): Promise<void> {
  archive.entry({ name: join('postgres', path), type: 'directory', mode: 0o700 })
  if (path === 'pg_wal')
    archive.entry({ name: 'postgres/pg_wal/archive_status', type: 'directory', mode: 0o700 })
  if (emptyFolders.has(path)) return
  for (const entry of await readdir(join(folder, path), { withFileTypes: true }).catch(missing)) {
    const child = join(path, entry.name)
    if (leftOut.test(entry.name) || child === control) continue
    if (entry.isDirectory()) await addFolder(archive, folder, child)
    else if (entry.isFile()) await addFile(archive, join(folder, child), join('postgres', child))
    else throw new DatabaseError(`${join(folder, child)} is a link: tablespaces are not backed up`)
  }
}

/** A file may vanish or change its length at the same time. Replaying the log repairs that. */
async function addFile(archive: Pack, path: string, name: string): Promise<void> {
  const [handle] = await open(path).then(opened => [opened], missing)
  if (!handle) return
  try {
    const { size } = await handle.stat()
    await pipeline(exactly(handle, size), archive.entry({ name, size, mode: 0o600 }))
  } finally {
    await handle.close()
  }
}

async function* exactly(handle: FileHandle, size: number): AsyncGenerator<Uint8Array> {
  for (let position = 0; position < size; ) {
    const chunk = Buffer.alloc(Math.min(size - position, 256 * 1024))
    const { bytesRead } = await handle.read(chunk, 0, chunk.length, position)
    const length = bytesRead || chunk.length
    yield chunk.subarray(0, length)
    position += length
  }
}

/** The control file is overwritten in place, so it is read until two readings are equal. */
async function readWhole(path: string): Promise<Buffer> {
  for (let before = await readFile(path); ; ) {
    const now = await readFile(path)
    if (now.equals(before)) return now
    before = now
  }
}

function missing(error: Error): never[] {
  if ('code' in error && error.code === 'ENOENT') return []
  throw error
}
