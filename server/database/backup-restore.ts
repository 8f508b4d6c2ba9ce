// Restores a backup over the embedded database and marks it as restored, so that the next start begins new epochs:
// viewers may have seen commits that the backup lacks. Refuses a database that is in use.
import { createReadStream, createWriteStream, existsSync } from 'node:fs'
import { access, mkdir, mkdtemp, rename, rm, stat, writeFile } from 'node:fs/promises'
import { join, normalize, resolve } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { createGunzip } from 'node:zlib'
import { extract } from 'tar-stream'
import { tryLockDataDir } from './data-dir-lock.ts'
import { DatabaseError, messageOf } from './database-error.ts'
import { giveTo, syncFolder } from './embedded-folder.ts'

type RestoreOptions = { data_dir: string; file: string; force: boolean }

const parts = ['postgres', 'secrets.json']

/** Returns the folder that the old files were moved to, if there were any. */
export async function restoreBackup({ data_dir, file, force }: RestoreOptions): Promise<string | undefined> {
  const root = resolve(data_dir)
  await mkdir(root, { recursive: true })
  const lock = tryLockDataDir(root)
  if (!lock) throw new DatabaseError(`The service is running on ${root}: stop it before you restore a backup`)
  try {
    return await restoreInto(root, file, force)
  } finally {
    lock.release()
  }
}

async function restoreInto(root: string, file: string, force: boolean): Promise<string | undefined> {
  const present = presentParts(root)
  if (present.length > 0 && !force)
    throw new DatabaseError(
      `${root} is not empty (${present.join(', ')}): add --force to move that aside and restore the backup`,
    )

  const fresh = await mkdtemp(join(root, 'restoring-'))
  try {
    await unpack(file, fresh)
    // The next start reads and deletes this marker.
    await writeFile(join(fresh, 'postgres/restored'), '', { mode: 0o600 })
    const { uid, gid } = await stat(root)
    // Root may restore for a service that runs as another user.
    if (process.getuid?.() === 0 && uid !== 0) await giveTo(fresh, { uid, gid })
    const aside = present.length > 0 ? await moveAside(root, present) : undefined
    for (const part of presentParts(fresh)) await rename(join(fresh, part), join(root, part))
    await syncFolder(root)
    return aside
  } finally {
    await rm(fresh, { recursive: true, force: true })
  }
}

const presentParts = (folder: string) => parts.filter(part => existsSync(join(folder, part)))

async function moveAside(root: string, present: string[]): Promise<string> {
  const stamp = new Date().toISOString().replace(/[-:]|\.\d+/g, '')
  const aside = await mkdtemp(join(root, `before-restore-${stamp}-`))
  for (const part of present) await rename(join(root, part), join(aside, part))
  return aside
}

async function unpack(file: string, folder: string): Promise<void> {
  if (!existsSync(file)) throw new DatabaseError(`There is no file ${file}`)
  const entries = extract()
  try {
    await Promise.all([
      pipeline(createReadStream(file), createGunzip(), entries),
      writeEntries(entries, folder),
    ])
    await access(join(folder, 'postgres/backup_label'))
  } catch (cause) {
    throw new DatabaseError(`${file} is not a whole backup of this service: ${messageOf(cause)}`, { cause })
  }
}

async function writeEntries(entries: ReturnType<typeof extract>, folder: string): Promise<void> {
  for await (const entry of entries) {
    const name = normalize(entry.header.name).replace(/\/$/, '')
    if (!parts.includes(name.split('/')[0] ?? '')) throw new DatabaseError(`unexpected entry ${name}`)
    const path = join(folder, name)
    if (entry.header.type === 'directory') {
      await mkdir(path, { recursive: true, mode: 0o700 })
      entry.resume()
    } else if (entry.header.type === 'file') {
      await pipeline(entry, createWriteStream(path, { mode: 0o600 }))
    } else {
      throw new DatabaseError(`unexpected ${entry.header.type} ${name}`)
    }
  }
}
