// Reads all imports of the project's sources.
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join, posix, relative, sep } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('../../', import.meta.url))

export type Import = {
  from: string
  /** A path from the root, or a package. */
  to: string
  inside: boolean
}

/** All files in the folder, as paths from the root with `/`. */
export function sourcesOf(folder: string): string[] {
  if (!existsSync(join(root, folder))) return []
  return readdirSync(join(root, folder), { withFileTypes: true, recursive: true })
    .filter(entry => entry.isFile() && /\.(ts|tsx|js|mjs)$/.test(entry.name))
    .map(entry => relative(root, join(entry.parentPath, entry.name)).split(sep).join('/'))
    .filter(path => !/(^|\/)(node_modules|dist|peers)\//.test(path))
}

export const textOf = (path: string) => readFileSync(join(root, path), 'utf8')

const IMPORT = /(?:^|[\s;])(?:import|export)\s+(?:[\w*{}\s,$]+?\s+from\s+)?'([^']+)'|\bimport\(\s*'([^']+)'/g

export function importsOf(path: string): Import[] {
  const bare = textOf(path).replace(/\/\*[\s\S]*?\*\//g, '')
  return [...bare.matchAll(IMPORT)].map(([, named, dynamic]) => {
    const target = named ?? dynamic ?? ''
    const inside = target.startsWith('.')
    return { from: path, to: inside ? posix.normalize(posix.join(dirname(path), target)) : target, inside }
  })
}
