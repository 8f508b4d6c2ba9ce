// The secret that the service generates on its first start and keeps in DATA_DIR, readable by its user only.
import { randomBytes, randomUUID } from 'node:crypto'
import { link, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'
import { ConfigError } from './config.ts'
import { codeOf } from './database/unavailable.ts'

const secrets = z.object({ auth_secret: z.string().min(16) })

export async function loadAuthSecret(data_dir: string): Promise<string> {
  const file = join(data_dir, 'secrets.json')
  for (;;) {
    const known = await readAuthSecret(file)
    if (known !== undefined) return known
    await makeAuthSecret(file)
  }
}

async function readAuthSecret(file: string): Promise<string | undefined> {
  try {
    return secrets.parse(JSON.parse(await readFile(file, 'utf8'))).auth_secret
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return undefined
    throw new ConfigError(`${file} in DATA_DIR cannot be read: restore or remove it`)
  }
}

/** Several instances may start together: the first link wins, and all read its secret. */
async function makeAuthSecret(file: string): Promise<void> {
  const auth_secret = randomBytes(32).toString('base64url')
  const fresh = `${file}.${randomUUID()}`
  await writeFile(fresh, `${JSON.stringify({ auth_secret })}\n`, { mode: 0o600, flush: true })
  try {
    await link(fresh, file)
  } catch (error) {
    if (codeOf(error) !== 'EEXIST') throw error
  } finally {
    await rm(fresh, { force: true })
  }
}
