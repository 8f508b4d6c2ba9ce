// Secrets that the service makes for itself on its first start, kept under DATA_DIR, readable by its user only.
import { randomBytes } from 'node:crypto'
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'
import { ConfigError } from './config.ts'

const secrets = z.object({ auth_secret: z.string().min(16) })

export async function loadAuthSecret(data_dir: string): Promise<string> {
  const file = join(data_dir, 'secrets.json')
  try {
    return secrets.parse(JSON.parse(await readFile(file, 'utf8'))).auth_secret
  } catch (error) {
    if (!isMissing(error)) throw new ConfigError(`${file} in DATA_DIR cannot be read: restore or remove it`)
  }
  const made = { auth_secret: randomBytes(32).toString('base64url') }
  await mkdir(data_dir, { recursive: true })
  const fresh = `${file}.${process.pid}`
  await writeFile(fresh, `${JSON.stringify(made)}\n`, { mode: 0o600 })
  await rename(fresh, file)
  return made.auth_secret
}

function isMissing(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ENOENT'
}
