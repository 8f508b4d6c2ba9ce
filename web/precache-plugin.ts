// Tells the service worker which files the build wrote, and names their version by a hash over all of them. What only
// the dashboard's pages load is told apart: a mere viewer need not have it.
import { createHash } from 'node:crypto'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join, sep } from 'node:path'
import type { Plugin, Rolldown } from 'vite'

type Bundle = Rolldown.OutputBundle

const WORKER = 'sw.js'
const DASHBOARD = /\/pages\/dashboard\.tsx$/
/** Icons are asked for by the system when the app is installed, not by its pages. */
const LEFT_OUT = /\.(map|png)$/

export function precachePlugin(): Plugin {
  return {
    name: 'precache',
    apply: 'build',
    writeBundle({ dir }, bundle) {
      if (dir === undefined) throw new Error('the web build writes to a folder')
      const files = readdirSync(dir, { recursive: true, withFileTypes: true })
        .filter(entry => entry.isFile() && entry.name !== WORKER && !LEFT_OUT.test(entry.name))
        .map(entry => join(entry.parentPath, entry.name).slice(dir.length + 1))
        .sort()
      const hash = createHash('sha256')
      for (const file of files) hash.update(file).update(readFileSync(join(dir, file)))
      const entry = entryOf(bundle)
      const viewers = filesFrom(entry, bundle, chunk => !DASHBOARD.test(chunk.facadeModuleId ?? ''))
      const all = filesFrom(entry, bundle, () => true)
      const rest = files.filter(file => all.has(file) && !viewers.has(file))
      const paths = (names: string[]) => names.map(name => `/${name.split(sep).join('/')}`)
      const facts = {
        __VERSION__: hash.digest('hex').slice(0, 16),
        __ENTRY__: `/${entry}`,
        __FILES__: paths(files.filter(file => !rest.includes(file))),
        __REST__: paths(rest),
      }
      const told = Object.entries(facts).map(([name, value]) => `${name}=${JSON.stringify(value)}`)
      const worker = join(dir, WORKER)
      writeFileSync(worker, `const ${told.join(',')};\n${readFileSync(worker, 'utf8')}`)
    },
  }
}

function entryOf(bundle: Bundle): string {
  const entry = Object.values(bundle).find(file => isChunk(file) && file.isEntry && file.fileName !== WORKER)
  if (!entry) throw new Error('the web build has an entry')
  return entry.fileName
}

/** What `file` loads, at once or later, through chunks that are `wanted`; styles and itself included. */
function filesFrom(
  file: string,
  bundle: Bundle,
  wanted: (chunk: Rolldown.OutputChunk) => boolean,
  seen = new Set<string>(),
): Set<string> {
  const chunk = bundle[file]
  if (seen.has(file) || !chunk || !isChunk(chunk) || !wanted(chunk)) return seen
  seen.add(file)
  for (const style of chunk.viteMetadata?.importedCss ?? []) seen.add(style)
  for (const next of [...chunk.imports, ...chunk.dynamicImports]) filesFrom(next, bundle, wanted, seen)
  return seen
}

function isChunk(file: Bundle[string]): file is Rolldown.OutputChunk {
  return file.type === 'chunk'
}
