// Builds the service with one deliberate mistake, in a folder of its own.
import { execFileSync } from 'node:child_process'
import { cp, mkdir, rm, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { applyChanges, type Change } from './changes.ts'

const root = fileURLToPath(new URL('../../..', import.meta.url))
const COPIED = ['server', 'shared', 'migrations', 'package.json', 'tsconfig.json']
const LINKED = ['node_modules']

/** Throws if a change doesn't apply. */
export function checkChanges(name: string, changes: Change[]): void {
  applyChanges(changes, root)
  console.log(`${name}: applies`)
}

/** Returns the folder, which `run` takes as a build. */
export async function buildMutant(name: string, changes: Change[]): Promise<string> {
  const folder = join(root, 'test-results/proof/mutants', name)
  await rm(folder, { recursive: true, force: true })
  await mkdir(folder, { recursive: true })
  for (const path of COPIED) await cp(join(root, path), join(folder, path), { recursive: true })
  for (const path of LINKED) await symlink(join(root, path), join(folder, path))
  for (const [path, text] of applyChanges(changes, root)) await writeFile(join(folder, path), text)
  const tsc = join(root, 'node_modules/.bin/tsc')
  execFileSync(tsc, ['-p', 'server/tsconfig.json', '--noCheck'], { cwd: folder })
  return folder
}
