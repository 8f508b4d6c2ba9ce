// The package `channel-feed` as users install it. Needs `npm run build:client`.
import { execFileSync } from 'node:child_process'
import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll } from 'vitest'
import { z } from 'zod'

const root = fileURLToPath(new URL('../../', import.meta.url))
export const BUILT_CLIENT = join(root, 'dist/client')

const manifest = z.object({
  name: z.string(),
  version: z.string(),
  bin: z.record(z.string(), z.string()).optional(),
  exports: z.record(z.string(), z.unknown()).optional(),
  dependencies: z.record(z.string(), z.string()).default({}),
})
export const readManifest = (folder: string) =>
  manifest.parse(JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')))

/**
 * Packs the package, and unpacks it in an empty folder as npm does. Its dependencies are those of this project, because a
 * test fetches nothing.
 */
export function installClient(): string {
  if (!existsSync(join(BUILT_CLIENT, 'package.json'))) throw new Error('run npm run build:client first')
  const folder = mkdtempSync(join(tmpdir(), 'channel-feed-installed-'))
  afterAll(() => rmSync(folder, { recursive: true }))
  const packed = execFileSync('npm', ['pack', BUILT_CLIENT, '--silent', '--pack-destination', folder], {
    cwd: folder,
    encoding: 'utf8',
  })
  const installed = join(folder, 'node_modules/channel-feed')
  mkdirSync(installed, { recursive: true })
  execFileSync('tar', ['-xzf', join(folder, packed.trim()), '-C', installed, '--strip-components=1'])
  for (const name of dependenciesOf(installed))
    link(join(root, 'node_modules', name), join(folder, 'node_modules', name))
  const { bin = {} } = readManifest(installed)
  for (const [name, file] of Object.entries(bin)) {
    chmodSync(join(installed, file), 0o755)
    link(join(installed, file), join(folder, 'node_modules/.bin', name))
  }
  writeFileSync(join(folder, 'package.json'), '{"type":"module"}')
  return folder
}

function link(target: string, path: string): void {
  mkdirSync(dirname(path), { recursive: true })
  symlinkSync(target, path)
}

/** All packages that the package in `folder` needs, those of its dependencies included. */
export function dependenciesOf(folder: string, found = new Set<string>()): Set<string> {
  for (const name of Object.keys(readManifest(folder).dependencies)) {
    if (found.has(name)) continue
    found.add(name)
    dependenciesOf(join(root, 'node_modules', name), found)
  }
  return found
}

/** In bytes, of the package and all that it needs. */
export function installedSize(folder: string): number {
  const installed = join(folder, 'node_modules/channel-feed')
  const packages = [...dependenciesOf(installed)].map(name => join(root, 'node_modules', name))
  return [installed, ...packages].reduce((sum, path) => sum + sizeOf(path), 0)
}

const sizeOf = (folder: string) =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter(entry => entry.isFile())
    .reduce((sum, { parentPath, name }) => sum + lstatSync(join(parentPath, name)).size, 0)
