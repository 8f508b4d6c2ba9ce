// One word, one meaning: what the product exports has a name that nothing else in it has.
import { parseSync } from 'vite'
import { expect, test } from 'vitest'
import { sourcesOf, textOf } from './imports.ts'

/** The web's request has the name of the server's function that carries it out. */
const REQUESTS = ['web/data/owner-requests.ts', 'web/data/checked-requests.ts']

/** The names of the types, classes, functions and constants that a file declares and exports. */
function exportsOf(path: string): string[] {
  return parseSync(path, textOf(path)).program.body.flatMap(statement => {
    if (statement.type !== 'ExportNamedDeclaration' && statement.type !== 'ExportDefaultDeclaration')
      return []
    const { declaration } = statement
    if (!declaration) return []
    if (declaration.type === 'VariableDeclaration')
      return declaration.declarations.flatMap(({ id }) => (id.type === 'Identifier' ? [id.name] : []))
    return 'id' in declaration && declaration.id?.type === 'Identifier' ? [declaration.id.name] : []
  })
}

test('an exported name is unique in the product', () => {
  const paths = ['server', 'shared', 'client', 'web'].flatMap(sourcesOf)
  const homes = new Map<string, Set<string>>()
  for (const path of paths.filter(path => !REQUESTS.includes(path)))
    for (const name of exportsOf(path)) homes.set(name, (homes.get(name) ?? new Set()).add(path))
  const shared = [...homes].filter(([, files]) => files.size > 1)
  expect(Object.fromEntries(shared.map(([name, files]) => [name, [...files].sort()]))).toEqual({})
})
