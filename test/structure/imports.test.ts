// The layers of the code: imports point down only, and nothing imports itself through others.
import { describe, expect, test } from 'vitest'
import { type Import, importsOf, sourcesOf, textOf } from './imports.ts'

/** From the bottom up. A file may import its own layer and those below. */
const SERVER: RegExp[] = [
  /^server\/((config|errors|rate-limit|metrics|secrets|key-pair|project|turnstile)\.ts|database\/)/,
  /^server\/(auth|bus|decisions|feed)\//,
  /^server\/model\//,
  /^server\/(webhooks|hooks|live-workspace)\//,
  /^server\/routes\//,
  /^server\/app(-middleware)?\.ts$/,
  /^server\/(service|parts|http-server|drain|periodic-work|dispatcher)\.ts$/,
  /^server\/(main|demo|warm-up|reset-password|signing-key)\.ts$|^server\/start\.js$/,
]
const FEED: RegExp[] = [
  /^server\/feed\/document\//,
  /^server\/feed\/log\//,
  /^server\/feed\/turn\//,
  /^server\/feed\/open-channel\.ts$/,
  /^server\/feed\/viewers\//,
  /^server\/feed\/feeds\.ts$/,
]
const WEB: RegExp[] = [
  /^web\/build\//,
  /^web\/(lib|ui)\//,
  /^web\/data\//,
  /^web\/shell\//,
  /^web\/(card|feed)\//,
  /^web\/workspace\//,
  /^web\/layouts\//,
  /^web\/block-kinds\//,
  /^web\/(dashboard|builder)\//,
  /^web\/reference\//,
  /^web\/pages\//,
  /^web\/(router|main)\.tsx$|^web\/(sw\.ts|start\.js|emojis\.d\.ts)$/,
]
/** What a tree may import besides itself. */
const TREES: Record<string, string[]> = {
  shared: [],
  client: ['shared'],
  server: ['shared'],
  web: ['shared', 'client'],
  action: ['client'],
}

const sources = [...Object.keys(TREES), 'test'].flatMap(sourcesOf)
const imports = sources.flatMap(importsOf)
const inside = imports.filter(one => one.inside)
const treeOf = (path: string) => path.split('/')[0] ?? ''
const folderOf = (path: string) => path.split('/').slice(0, 2).join('/')
const layersOf = (path: string) => (treeOf(path) === 'server' ? SERVER : treeOf(path) === 'web' ? WEB : [])
const layerOf = (path: string) => layersOf(path).findIndex(layer => layer.test(path))
const isCode = (path: string) => /\.(ts|tsx|js)$/.test(path)
const show = ({ from, to }: Import) => `${from} → ${to}`

test('the test finds static, dynamic and type imports', () => {
  expect(imports.map(show)).toContain('server/app.ts → server/errors.ts')
  expect(imports.map(show)).toContain('shared/card.ts → shared/block.ts')
  expect(imports.length).toBeGreaterThan(sources.length)
})

test('every file of the server and the web app belongs to a layer', () => {
  const strays = sources.filter(path => layersOf(path).length > 0 && layerOf(path) < 0)
  expect(strays).toEqual([])
})

test('imports point down', () => {
  const up = inside.filter(
    ({ from, to }) => treeOf(from) === treeOf(to) && isCode(to) && layerOf(to) > layerOf(from),
  )
  expect(up.map(show)).toEqual([])
})

test('in server/feed, imports point down too', () => {
  const floorOf = (path: string) => FEED.findIndex(floor => floor.test(path))
  expect(sourcesOf('server/feed').filter(path => floorOf(path) < 0)).toEqual([])
  const up = inside.filter(({ from, to }) => floorOf(from) >= 0 && floorOf(to) > floorOf(from))
  expect(up.map(show)).toEqual([])
})

test('folders of one layer do not import each other in a cycle', () => {
  const pairs = new Set(inside.map(({ from, to }) => `${folderOf(from)} ${folderOf(to)}`))
  const cycles = [...pairs].filter(pair => {
    const [from = '', to = ''] = pair.split(' ')
    return from !== to && treeOf(from) !== 'test' && pairs.has(`${to} ${from}`)
  })
  expect(cycles).toEqual([])
})

test('every exported function and constant is used', () => {
  const uses = new Map<string, number>()
  for (const path of [...sources, 'vite.config.ts'])
    for (const [word] of textOf(path).matchAll(/\w+/g)) uses.set(word, (uses.get(word) ?? 0) + 1)
  const exported = sources.flatMap(path =>
    [...textOf(path).matchAll(/^export (?:async )?(?:function\*?|const|class) (\w+)/gm)].map(
      ([, name = '']) => ({ path, name }),
    ),
  )
  expect(exported.filter(({ name }) => uses.get(name) === 1)).toEqual([])
})

test('no file imports itself through others', () => {
  const targets = new Map<string, string[]>()
  for (const { from, to } of inside) targets.set(from, [...(targets.get(from) ?? []), to])
  const reaches = (from: string, goal: string, seen = new Set<string>()): boolean =>
    (targets.get(from) ?? []).some(to => {
      if (to === goal) return true
      if (seen.has(to)) return false
      seen.add(to)
      return reaches(to, goal, seen)
    })
  expect([...targets.keys()].filter(path => treeOf(path) !== 'test' && reaches(path, path))).toEqual([])
})

test('a tree imports itself and the trees it may use; the server also imports its tools for models', () => {
  const strays = inside.filter(({ from, to }) => {
    const allowed = TREES[treeOf(from)]
    const isTool = from === 'server/routes/mcp.ts' && to.startsWith('client/mcp/')
    return allowed && treeOf(to) !== treeOf(from) && !allowed.includes(treeOf(to)) && !isTool
  })
  expect(strays.map(show)).toEqual([])
})

test('the action imports only the client and Node, because nothing is installed where it runs', () => {
  const packages = imports.filter(one => one.from.startsWith('action/') && !one.inside).map(({ to }) => to)
  expect(packages).not.toEqual([])
  expect(packages.filter(name => !name.startsWith('node:'))).toEqual([])
})

test('shared imports only canonicalize, lib0, zod and yjs', () => {
  const packages = imports.filter(one => one.from.startsWith('shared/') && !one.inside).map(({ to }) => to)
  expect([...new Set(packages)].sort()).toEqual(['canonicalize', 'lib0/hash/sha256', 'yjs', 'zod'])
})

test('dependencies are exactly the packages that the server and its tools import', () => {
  const { dependencies }: { dependencies: Record<string, string> } = JSON.parse(textOf('package.json'))
  const imported = imports
    .filter(
      one => /^(server|shared|client\/mcp)\//.test(one.from) && !one.inside && !one.to.startsWith('node:'),
    )
    .map(({ to }) => /^(@[^/]+\/)?[^/]+/.exec(to)?.[0])
  expect(Object.keys(dependencies).sort()).toEqual([...new Set(imported)].sort())
})

test('browser code imports nothing from Node; only build plugins do', () => {
  const plugin = /^web\/build\//
  const strays = imports.filter(
    ({ from, to }) =>
      from.startsWith('web/') && !plugin.test(from) && (to.startsWith('node:') || plugin.test(to)),
  )
  expect(strays.map(show)).toEqual([])
})

test('the client library imports nothing from Node; the command line, stdio and the build may', () => {
  const strays = imports.filter(
    ({ from, to }) =>
      from.startsWith('client/') &&
      !/^client\/(cli\/|build\/|mcp\/stdio\.ts)/.test(from) &&
      (to.startsWith('node:') || /^client\/(cli|build)\//.test(to)),
  )
  expect(strays.map(show)).toEqual([])
})

test('model imports no HTTP code', () => {
  const strays = imports.filter(
    ({ from, to }) => from.startsWith('server/model/') && /^hono|^@hono\//.test(to),
  )
  expect(strays.map(show)).toEqual([])
})

test('cards reach the channel that shows them only through their host', () => {
  const strays = imports.filter(
    ({ from, to }) => from.startsWith('web/card/') && to.startsWith('web/data/channel/'),
  )
  expect(strays.map(show)).toEqual([])
})

test("the proof's model imports only itself and types, so that no code is compared with itself", () => {
  const model = sourcesOf('test/proof/model')
  expect(model).not.toEqual([])
  for (const path of model) {
    const strays = importsOf(path).filter(({ to }) => !to.startsWith('test/proof/model/'))
    const types = textOf(path).match(/^import type .*$/gm) ?? []
    const asTypes = strays.filter(({ to }) => types.some(line => line.includes(to.split('/').at(-1) ?? to)))
    expect(strays.map(show)).toEqual(asTypes.map(show))
  }
})

test('only the lab imports the lab, so that its tools can be left out', () => {
  const strays = sourcesOf('test')
    .filter(path => !path.startsWith('test/lab/'))
    .flatMap(importsOf)
    .filter(({ to }) => to.startsWith('test/lab/'))
  expect(strays.map(show)).toEqual([])
})

test('relative imports have an extension', () => {
  const bare = inside.filter(({ to }) => !/\.(ts|tsx|js|mjs|css|json|svg)(\?\w+)?$/.test(to))
  expect(bare.map(show)).toEqual([])
})

describe('barrels', () => {
  test('no file is named index', () => {
    const named = sources.filter(path => /^(shared|server|web)\/.*index\.(ts|tsx|js)$/.test(path))
    expect(named).toEqual([])
  })
  test('no file re-exports another, except the entry of the client’s package', () => {
    const passing = sources.filter(path =>
      /^export\s+(type\s+)?(\*|\{[^}]*\})\s*(as \w+ )?from\s/m.test(textOf(path)),
    )
    expect(passing).toEqual(['client/index.ts'])
  })
})
