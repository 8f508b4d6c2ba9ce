// Builds the service with one deliberate mistake, in a folder of its own.
import { execFileSync } from 'node:child_process'
import { cp, mkdir, readdir, readFile, rm, symlink } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { applySourcePatch } from '../../support/source-patch.ts'

const here = dirname(fileURLToPath(import.meta.url))
const root = join(here, '../../..')
const COPIED = ['server', 'shared', 'migrations', 'package.json', 'tsconfig.json']
const LINKED = ['node_modules']

export type Mutant = {
  name: string
  /** The checker that must find it, and the promise that it must find broken. */
  checker: string
  promise: string
  /** What shows it, if quick plans don't have it: a kind of fault, or `large` channels. */
  needs: string | null
}

/** The first line of a patch names the checker and the promise, the second one what it needs. */
export async function listMutants(): Promise<Mutant[]> {
  const patches = (await readdir(here)).filter(name => name.endsWith('.patch')).sort()
  return Promise.all(
    patches.map(async file => {
      const text = await readFile(join(here, file), 'utf8')
      const [, checker = '', promise = ''] = /^Caught by: (.*) \(([PD]\d+)\)$/m.exec(text) ?? []
      const [, needs = null] = /^Needs: (.*)$/m.exec(text) ?? []
      return { name: file.replace('.patch', ''), checker, promise, needs }
    }),
  )
}

/** Returns the folder, which `run` takes as a build. */
export async function buildMutant(
  { name }: Pick<Mutant, 'name'>,
  patch = join(here, `${name}.patch`),
): Promise<string> {
  const folder = join(root, 'test-results/proof/mutants', name)
  await rm(folder, { recursive: true, force: true })
  await mkdir(folder, { recursive: true })
  for (const path of COPIED) await cp(join(root, path), join(folder, path), { recursive: true })
  for (const path of LINKED) await symlink(join(root, path), join(folder, path))
  await applySourcePatch(patch, folder)
  const tsc = join(root, 'node_modules/.bin/tsc')
  execFileSync(tsc, ['-p', 'server/tsconfig.json', '--noCheck'], { cwd: folder })
  return folder
}
