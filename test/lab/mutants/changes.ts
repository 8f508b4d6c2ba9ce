// Deliberate mistakes in our own sources, as data. They follow the code when it moves: they name a function, not a place.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseSync } from 'vite'
import { sourcesOf } from '../../structure/imports.ts'

export type Change = {
  /**
   * A class, function, constant or member, such as `appendTurns` or `Feeds.#check`. If several files have one, it is the exported one.
   * Or the path of a file that isn't a script.
   */
  in: string
  /** Is in there once. Blanks and line breaks don't count. */
  replace: string
  /** By nothing, if it is left out. */
  by?: string
}

type Span = { start: number; end: number }
type Place = Span & { path: string; exported: boolean }

/** What the changes make of the sources below `root`: path → text. Throws if one of them doesn't apply. */
export function applyChanges(changes: Change[], root: string): Map<string, string> {
  const texts = new Map<string, string>()
  const textOf = (path: string) => texts.get(path) ?? readFileSync(join(root, path), 'utf8')
  for (const { in: name, replace, by = '' } of changes) {
    const { path, start, end } = placeOf(name, textOf)
    const text = textOf(path)
    const [match, another] = text.slice(start, end).matchAll(patternOf(replace))
    if (!match || another)
      throw new Error(`${name} in ${path} has ${another ? 'several' : 'no'} \`${replace}\``)
    const at = start + match.index
    const changed = text.slice(0, at) + by + text.slice(at + match[0].length)
    if (isScript(path)) parse(path, changed)
    texts.set(path, changed)
  }
  return texts
}

const patternOf = (text: string): RegExp =>
  new RegExp([...text.replace(/\s/g, '')].map(char => char.replace(/\W/, '\\$&')).join('\\s*'), 'g')

const isScript = (path: string): boolean => /\.[jt]s$/.test(path)

function placeOf(name: string, textOf: (path: string) => string): Omit<Place, 'exported'> {
  if (name.includes('/')) return { path: name, start: 0, end: textOf(name).length }
  const [outer = '', member] = name.split('.')
  const declaration = new RegExp(`\\b(class|const|function) ${outer}\\b`)
  const places = ['server', 'shared'].flatMap(sourcesOf).flatMap((path): Place[] => {
    const text = textOf(path)
    return declaration.test(text) ? placesIn(path, text, outer, member) : []
  })
  const exported = places.filter(place => place.exported)
  const [place, another] = exported.length > 0 ? exported : places
  if (!place) throw new Error(`no source declares ${name}`)
  if (another) throw new Error(`${place.path} and ${another.path} declare ${name}`)
  return place
}

function parse(path: string, text: string) {
  const { program, errors } = parseSync(path, text)
  if (errors[0]) throw new SyntaxError(`${path}: ${errors[0].message}`)
  return program
}

function placesIn(path: string, text: string, outer: string, member: string | undefined): Place[] {
  return parse(path, text).body.flatMap(statement => {
    const exported = statement.type === 'ExportNamedDeclaration'
    const spans = spansOf(exported ? statement.declaration : statement, outer, member)
    return spans.map(({ start, end }) => ({ path, exported, start, end }))
  })
}

type Statement = ReturnType<typeof parse>['body'][number] | null

function spansOf(declared: Statement, outer: string, member: string | undefined): Span[] {
  if (declared?.type === 'VariableDeclaration')
    return declared.declarations.filter(({ id }) => id.type === 'Identifier' && id.name === outer)
  if (declared?.type === 'FunctionDeclaration') return declared.id?.name === outer ? [declared] : []
  if (declared?.type !== 'ClassDeclaration' || declared.id?.name !== outer) return []
  if (member === undefined) return [declared]
  return declared.body.body.filter(part => 'key' in part && nameOf(part.key) === member)
}

const nameOf = (key: { type: string; name?: unknown }): string =>
  key.type === 'PrivateIdentifier' ? `#${key.name}` : String(key.name)
