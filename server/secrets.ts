// The secrets that the service generates on its first start and keeps in DATA_DIR, readable by its user only.
import { randomBytes, randomUUID } from 'node:crypto'
import { chown, link, readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'
import { ConfigError } from './config.ts'
import { codeOf } from './database/unavailable.ts'
import { type KeyPair, keyPairOf, newPrivateJwk, privateJwk } from './key-pair.ts'

/** The file of release 0.2 has no `signing_key`. */
const secrets = z.object({ auth_secret: z.string().min(16), signing_key: privateJwk.optional() })
type Secrets = z.output<typeof secrets>

export async function loadAuthSecret(data_dir: string): Promise<string> {
  for (;;) {
    const known = await readSecrets(data_dir)
    if (known) return known.auth_secret
    await makeSecrets(data_dir)
  }
}

export async function loadSigningKey(data_dir: string): Promise<KeyPair> {
  for (;;) {
    const known = await readSecrets(data_dir)
    if (known?.signing_key) return keyPairOf(known.signing_key).catch(() => unreadable(data_dir))
    if (known) await replaceSigningKey(data_dir)
    else await makeSecrets(data_dir)
  }
}

/** If several instances do this at once, each may use a key of its own until it restarts. That does no harm. */
export async function replaceSigningKey(data_dir: string): Promise<KeyPair> {
  const { auth_secret } = (await readSecrets(data_dir)) ?? newSecrets()
  const signing_key = newPrivateJwk()
  await writeFresh(data_dir, { auth_secret, signing_key }, fresh => rename(fresh, fileIn(data_dir)))
  return keyPairOf(signing_key)
}

const fileIn = (data_dir: string) => join(data_dir, 'secrets.json')

const newSecrets = (): Secrets => ({
  auth_secret: randomBytes(32).toString('base64url'),
  signing_key: newPrivateJwk(),
})

function unreadable(data_dir: string): never {
  throw new ConfigError(`${fileIn(data_dir)} in DATA_DIR cannot be read: restore or remove it`)
}

async function readSecrets(data_dir: string): Promise<Secrets | undefined> {
  try {
    return secrets.parse(JSON.parse(await readFile(fileIn(data_dir), 'utf8')))
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return undefined
    unreadable(data_dir)
  }
}

/** Several instances may start together: the first link wins, and all read its secrets. */
function makeSecrets(data_dir: string): Promise<void> {
  return writeFresh(data_dir, newSecrets(), async fresh => {
    try {
      await link(fresh, fileIn(data_dir))
    } catch (error) {
      if (codeOf(error) !== 'EEXIST') throw error
    }
  })
}

async function writeFresh(data_dir: string, content: Secrets, use: (fresh: string) => Promise<void>) {
  const fresh = `${fileIn(data_dir)}.${randomUUID()}`
  try {
    await writeFile(fresh, `${JSON.stringify(content)}\n`, { mode: 0o600, flush: true })
    const { uid, gid } = await stat(data_dir)
    // Root may run a command for a service that runs as another user.
    if (process.getuid?.() === 0) await chown(fresh, uid, gid)
    await use(fresh)
  } finally {
    await rm(fresh, { force: true })
  }
}
