// Writes the list of built files, and a hash over them as the version, into the service worker. The dashboard's files are
// a list of their own, because viewers don't need them.
import { createHash } from 'node:crypto'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join, sep } from 'node:path'
import type { Plugin, Rolldown } from 'vite'

type Bundle = Rolldown.OutputBundle

const WORKER = 'sw.js'
const DASHBOARD = /\/pages\/dashboard\.tsx$/
/** Source maps, and the icons that only the system fetches when the app is installed. */
const LEFT_OUT = /\.(map|png)$/

export function precachePlugin(): Plugin {
  return {
    name: 'precache',
    writeBundle({ dir }, bundle) {
      if (dir === undefined) throw new Error('the web build must write to a folder')
      const files = readdirSync(dir, { recursive: true, withFileTypes: true })
        .filter(entry => entry.isFile() && entry.name !== WORKER && !LEFT_OUT.test(entry.name))
        .map(entry => join(entry.parentPath, entry.name).slice(dir.length + 1))
        .sort()
      const hash = createHash('sha256')
      for (const file of files) hash.update(file).update(readFileSync(join(dir, file)))
      const entry = entryOf(readFileSync(join(dir, 'index.html'), 'utf8'))
      const dashboard = Object.values(bundle).find(isDashboard)
      if (!dashboard) throw new Error('the dashboard must be a chunk of its own')
      const viewers = filesFrom(entry, bundle, chunk => [
        ...chunk.imports,
        ...chunk.dynamicImports.filter(name => name !== dashboard.fileName),
      ])
      const owners = filesFrom(dashboard.fileName, bundle, chunk => chunk.imports)
      const paths = (names: string[]) => names.map(name => `/${name.split(sep).join('/')}`)
      const constants = {
        __VERSION__: hash.digest('hex').slice(0, 16),
        __ENTRY__: `/${entry}`,
        __FILES__: paths(files.filter(file => viewers.has(file) || !file.startsWith('assets'))),
        __REST__: paths(files.filter(file => owners.has(file) && !viewers.has(file))),
      }
      const lines = Object.entries(constants).map(
        ([name, value]) => `const ${name}=${JSON.stringify(value)};\n`,
      )
      const worker = join(dir, WORKER)
      writeFileSync(worker, lines.join('') + readFileSync(worker, 'utf8'))
    },
  }
}

function entryOf(page: string): string {
  const entry = page.match(/<script type="module"[^>]* src="\/([^"]+)"/)?.[1]
  if (entry === undefined) throw new Error('index.html must load a script of the build')
  return entry
}

/** The file and all files that it needs, styles and fonts included. `next` names the files that a chunk needs. */
function filesFrom(
  file: string,
  bundle: Bundle,
  next: (chunk: Rolldown.OutputChunk) => string[],
  seen = new Set<string>(),
): Set<string> {
  const chunk = bundle[file]
  if (seen.has(file) || !chunk || !isChunk(chunk)) return seen
  seen.add(file)
  for (const style of chunk.viteMetadata?.importedCss ?? []) seen.add(style)
  for (const font of chunk.viteMetadata?.importedAssets ?? []) seen.add(font)
  for (const name of next(chunk)) filesFrom(name, bundle, next, seen)
  return seen
}

const isChunk = (file: Bundle[string]) => file.type === 'chunk'
const isDashboard = (file: Bundle[string]) => isChunk(file) && DASHBOARD.test(file.facadeModuleId ?? '')
