// Builds the package `channel-feed` into dist/client. The server's build puts the client's files that it uses beside lib/.
import { execFileSync } from 'node:child_process'
import { copyFileSync, existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { z } from 'zod'

const root = fileURLToPath(new URL('../../', import.meta.url))
const target = join(root, 'dist/client')
const ENTRIES = {
  '.': 'index',
  './verify': 'verify',
  './webhook': 'webhook',
  './mcp': 'mcp/stdio',
}
const COMMAND = 'lib/client/cli/main.js'
/** Imports of a script or its types: static, dynamic, and as a type. */
const IMPORT = /(?:\bfrom |\bimport\(|\bimport )['"]((?:@[\w-]+\/)?[\w-]+)(?:\/[^'"]*)?['"]/g

const ranges = z.record(z.string(), z.string())
const project = z
  .object({
    name: z.string(),
    version: z.string(),
    description: z.string(),
    license: z.string(),
    engines: ranges,
    dependencies: ranges,
    devDependencies: ranges,
  })
  .parse(JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')))

rmSync(join(target, 'lib'), { recursive: true, force: true })
execFileSync('tsc', ['-p', join(root, 'client/tsconfig.json'), '--noCheck'], {
  stdio: 'inherit',
  shell: process.platform === 'win32',
})

const { name, version, license, engines } = project
const content = {
  name,
  version,
  description: 'Push cards to Channel Feed, and ask people questions.',
  license,
  type: 'module',
  engines,
  sideEffects: false,
  exports: { ...entryPoints(), './package.json': './package.json' },
  ...(existsSync(join(target, COMMAND)) && { bin: { [name]: COMMAND } }),
  files: ['lib'],
  dependencies: usedPackages(),
}
writeFileSync(join(target, 'package.json'), `${JSON.stringify(content, null, 2)}\n`)
copyFileSync(join(root, 'LICENSE'), join(target, 'LICENSE'))
copyFileSync(join(root, 'client/README.md'), join(target, 'README.md'))

function entryPoints() {
  const built = Object.entries(ENTRIES).filter(([, file]) =>
    existsSync(join(target, `lib/client/${file}.js`)),
  )
  return Object.fromEntries(
    built.map(([entry, file]) => [
      entry,
      { types: `./lib/client/${file}.d.ts`, default: `./lib/client/${file}.js` },
    ]),
  )
}

/** What the files import, with the ranges of the project. */
function usedPackages(): Record<string, string> {
  const lib = join(target, 'lib')
  const names = readdirSync(lib, { recursive: true, encoding: 'utf8' })
    .filter(file => /\.(js|d\.ts)$/.test(file))
    .flatMap(file => [...readFileSync(join(lib, file), 'utf8').matchAll(IMPORT)])
    .map(([, imported = '']) => imported)
  const known: Record<string, string> = { ...project.devDependencies, ...project.dependencies }
  const used = [...new Set(names)].sort().map(used => {
    const range = known[used]
    if (range === undefined) throw new Error(`package.json has no ${used}, which the client imports`)
    return [used, range] as const
  })
  return Object.fromEntries(used)
}
