// A real Chromium: the one unpacked from npm, or the one that CHROMIUM_PATH names. It brings its own libraries and
// fonts, so it also runs where those of the system are missing.
import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type Browser, chromium } from 'playwright-core'

const folder = fileURLToPath(new URL('../../../node_modules/.cache/chromium', import.meta.url))
const unpacked = join(folder, 'unpacked')

/** Its own configuration looks for them in the folders of Lambda. */
const fonts = `<?xml version="1.0"?>
<fontconfig>
  <dir>${join(folder, 'fonts')}</dir>
  <dir>/usr/share/fonts</dir>
  <alias binding="strong">
    <family>monospace</family>
    <prefer><family>DejaVu Sans Mono</family></prefer>
  </alias>
  <cachedir>${join(folder, 'fonts-cache')}</cachedir>
</fontconfig>
`

/** Not the package's own: with those, closing a context ends the browser, and CORS faults are hidden. */
const ARGUMENTS = [
  '--no-sandbox',
  '--disable-dev-shm-usage',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--no-first-run',
]

export async function launchChromium(): Promise<Browser> {
  const path = process.env.CHROMIUM_PATH
  // With an empty LANG, Chromium crashes on date and time fields.
  const own = { ...process.env, LANG: 'C.UTF-8', LC_ALL: undefined, LANGUAGE: undefined }
  if (path) return chromium.launch({ executablePath: path, args: ARGUMENTS, env: own })
  const env = {
    ...own,
    LD_LIBRARY_PATH: join(folder, 'al2023', 'lib'),
    FONTCONFIG_FILE: join(folder, 'fonts.conf'),
  }
  return chromium.launch({ executablePath: await unpackChromium(), args: ARGUMENTS, env })
}

/** Unpacks it once. Two at a time would race, so the global setup does it before any test. */
export async function unpackChromium(): Promise<string> {
  if (!existsSync(unpacked)) rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { recursive: true })
  const { TMPDIR, AWS_EXECUTION_ENV } = process.env
  // It unpacks into the temporary folder, and its libraries only where it believes to be on Lambda.
  Object.assign(process.env, { TMPDIR: folder, AWS_EXECUTION_ENV: 'AWS_Lambda_nodejs20.x' })
  const { default: packed } = await import('@sparticuz/chromium')
  packed.setGraphicsMode = false
  const path = await packed.executablePath()
  restore({ TMPDIR, AWS_EXECUTION_ENV })
  writeFileSync(join(folder, 'fonts.conf'), fonts)
  writeFileSync(unpacked, '')
  return path
}

function restore(variables: Record<string, string | undefined>): void {
  for (const [name, value] of Object.entries(variables)) {
    if (value === undefined) delete process.env[name]
    else process.env[name] = value
  }
}
