// The floors of the house: imports point down only.
import { describe, expect, test } from 'vitest'
import { type Import, importsOf, sourcesOf, textOf } from './imports.ts'

/** From the ground up. A file may import its own floor and those below. */
const FLOORS: RegExp[] = [
  /^shared\//,
  /^server\/((config|errors|rate-limit|metrics|secrets)\.ts|database\/)/,
  /^server\/(auth|feed|bus|webhooks)\//,
  /^server\/(model|openapi)\//,
  /^server\/routes\//,
  /^server\/app\.ts$/,
  /^server\/service\.ts$/,
  /^server\/(main|demo)\.ts$|^server\/start\.js$/,
]

const sources = ['shared', 'server', 'web', 'test'].flatMap(sourcesOf)
const imports = sources.flatMap(importsOf)
const floorOf = (path: string) => FLOORS.findIndex(floor => floor.test(path))
const show = ({ from, to }: Import) => `${from} → ${to}`

test('imports are found, plain and dynamic ones, of types too', () => {
  expect(imports.map(show)).toContain('server/app.ts → server/errors.ts')
  expect(imports.map(show)).toContain('shared/card.ts → shared/block.ts')
  expect(imports.length).toBeGreaterThan(sources.length)
})

test('every file of the server stands on a floor', () => {
  const homeless = sources.filter(path => path.startsWith('server/') && floorOf(path) < 0)
  expect(homeless).toEqual([])
})

test('imports point down', () => {
  const up = imports.filter(
    ({ from, to, inside }) => inside && floorOf(from) >= 0 && floorOf(to) > floorOf(from),
  )
  expect(up.map(show)).toEqual([])
})

test('folders of one floor do not need each other in circles', () => {
  const folder = (path: string) => path.split('/').slice(0, 2).join('/')
  const pairs = imports
    .filter(({ from, to, inside }) => inside && floorOf(from) === 2 && floorOf(to) === 2)
    .map(({ from, to }) => `${folder(from)} ${folder(to)}`)
  const circles = pairs.filter(pair => {
    const [from = '', to = ''] = pair.split(' ')
    return from !== to && pairs.includes(`${to} ${from}`)
  })
  expect(circles).toEqual([])
})

test('no file of the server or of shared needs itself through others', () => {
  const targets = new Map<string, string[]>()
  for (const { from, to, inside } of imports) {
    if (inside && floorOf(from) >= 0) targets.set(from, [...(targets.get(from) ?? []), to])
  }
  const reaches = (from: string, goal: string, seen = new Set<string>()): boolean =>
    (targets.get(from) ?? []).some(to => {
      if (to === goal) return true
      if (seen.has(to)) return false
      seen.add(to)
      return reaches(to, goal, seen)
    })
  expect([...targets.keys()].filter(path => reaches(path, path))).toEqual([])
})

test('shared needs zod and yjs, and no other package', () => {
  const packages = imports
    .filter(({ from, inside }) => from.startsWith('shared/') && !inside)
    .map(({ to }) => to)
  expect([...new Set(packages)].sort()).toEqual(['yjs', 'zod'])
})

test('the packages of an image are those that the server imports; all others are for development', () => {
  const { dependencies }: { dependencies: Record<string, string> } = JSON.parse(textOf('package.json'))
  const imported = imports
    .filter(({ from, to, inside }) => /^(server|shared)\//.test(from) && !inside && !to.startsWith('node:'))
    .map(({ to }) => /^(@[^/]+\/)?[^/]+/.exec(to)?.[0])
  // Its files are served, not imported.
  imported.push('swagger-ui-dist')
  expect(Object.keys(dependencies).sort()).toEqual([...new Set(imported)].sort())
})

test('web imports shared and itself', () => {
  const strays = imports.filter(
    ({ from, to, inside }) => from.startsWith('web/') && inside && !/^(web|shared)\//.test(to),
  )
  expect(strays.map(show)).toEqual([])
})

test('what runs in the browser needs nothing of Node; only the build’s plugins do', () => {
  const plugin = /^web\/[\w-]+-plugin\.ts$/
  const strays = imports.filter(
    ({ from, to }) =>
      from.startsWith('web/') && !plugin.test(from) && (to.startsWith('node:') || plugin.test(to)),
  )
  expect(strays.map(show)).toEqual([])
})

test('shared and the server import nothing of web; nothing imports tests', () => {
  const strays = imports.filter(
    ({ from, to, inside }) =>
      inside &&
      !from.startsWith('test/') &&
      (/^test\//.test(to) || (!from.startsWith('web/') && /^web\//.test(to))),
  )
  expect(strays.map(show)).toEqual([])
})

test('a model knows no HTTP', () => {
  const strays = imports.filter(
    ({ from, to }) => from.startsWith('server/model/') && /^hono|^@hono\//.test(to),
  )
  expect(strays.map(show)).toEqual([])
})

test('imports inside carry their extension', () => {
  const bare = imports.filter(
    ({ to, inside }) => inside && !/\.(ts|tsx|js|mjs|css|json|svg)(\?\w+)?$/.test(to),
  )
  expect(bare.map(show)).toEqual([])
})

describe('no barrels', () => {
  test('no file is named index', () => {
    const named = sources.filter(path => /^(shared|server|web)\/.*index\.(ts|tsx|js)$/.test(path))
    expect(named).toEqual([])
  })
  test('no file passes on what another exports', () => {
    const passing = sources.filter(path =>
      /^export\s+(type\s+)?(\*|\{[^}]*\})\s*(as \w+ )?from\s/m.test(textOf(path)),
    )
    expect(passing).toEqual([])
  })
})
