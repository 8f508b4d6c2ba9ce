// The file with the addresses and keys of `login`. Only its owner may read it.
import { randomUUID } from 'node:crypto'
import { chmod, mkdir, open, readFile, rename, rm, stat } from 'node:fs/promises'
import { homedir } from 'node:os'
import { dirname, isAbsolute, join } from 'node:path'
import { z } from 'zod'
import { wrongUsage } from './failure.ts'
import type { Output } from './output.ts'

const profile = z.object({
  name: z.string(),
  url: z.string(),
  key: z.string(),
  /** The default channel. */
  channel: z.string().nullable(),
})
export type Profile = z.output<typeof profile>

const configFile = z.object({ profiles: z.array(profile) })

const isWindows = process.platform === 'win32'

export function configPath(): string {
  const { APPDATA, XDG_CONFIG_HOME = '' } = process.env
  const home = isWindows ? (APPDATA ?? join(homedir(), 'AppData', 'Roaming')) : join(homedir(), '.config')
  // The XDG specification ignores relative paths.
  return join(
    !isWindows && isAbsolute(XDG_CONFIG_HOME) ? XDG_CONFIG_HOME : home,
    'channel-feed',
    'config.json',
  )
}

/** `output` gets a warning if others could read the file. */
export async function readProfiles(output: Output): Promise<Profile[]> {
  const path = configPath()
  const text = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return null
    throw wrongUsage(`Can't read ${path}: ${error.message}`)
  })
  if (text === null) return []
  await narrow(path, output)
  const { data } = configFile.safeParse(parseJson(text))
  if (!data) throw wrongUsage(`${path} is damaged. Delete it, then run: channel-feed login`)
  return data.profiles
}

/** Replaces the profile of this name. */
export async function writeProfile(next: Profile, output: Output): Promise<void> {
  const others = (await readProfiles(output)).filter(({ name }) => name !== next.name)
  await writeProfiles([...others, next])
}

/** Returns whether there was one. */
export async function removeProfile(name: string, output: Output): Promise<boolean> {
  const profiles = await readProfiles(output)
  const rest = profiles.filter(one => one.name !== name)
  if (rest.length === profiles.length) return false
  await (rest.length === 0 ? rm(configPath()) : writeProfiles(rest))
  return true
}

async function writeProfiles(profiles: Profile[]): Promise<void> {
  const path = configPath()
  const folder = dirname(path)
  await mkdir(folder, { recursive: true, mode: 0o700 })
  await chmod(folder, 0o700)
  const draft = `${path}.${randomUUID()}`
  try {
    const file = await open(draft, 'wx', 0o600)
    await file.writeFile(`${JSON.stringify({ profiles }, null, 2)}\n`)
    await file.sync()
    await file.close()
    await rename(draft, path)
  } catch (error) {
    await rm(draft, { force: true })
    throw error
  }
}

async function narrow(path: string, output: Output): Promise<void> {
  if (isWindows || ((await stat(path)).mode & 0o077) === 0) return
  await chmod(path, 0o600)
  output.warn(
    `Others could read ${path}, which contains a key. Now only you can. If others use this computer, replace the key.`,
  )
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
