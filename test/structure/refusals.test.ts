// What a browser can refuse to a page is named only in a module that can do without it.
import { parseSync, Visitor } from 'vite'
import { expect, test } from 'vitest'
import { sourcesOf, textOf } from './imports.ts'

/** start.js runs before the modules, and sw.ts only where service workers are allowed. */
const HOMES: Record<string, string[]> = {
  localStorage: ['web/lib/text-storage.ts', 'web/start.js'],
  sessionStorage: ['web/lib/text-storage.ts'],
  indexedDB: ['web/data/local-copy/indexed-store.ts', 'web/start.js'],
  BroadcastChannel: ['web/lib/other-tabs.ts'],
  locks: ['web/lib/one-tab.ts'],
  caches: ['web/sw.ts'],
  serviceWorker: ['web/lib/service-worker.ts'],
  clipboard: ['web/lib/clipboard.ts'],
  Notification: [],
  cookieStore: [],
}

/** The files that read a global of these names, also as `window.name` or `navigator.name`. */
function readersOf(path: string): string[] {
  const names = new Set<string>()
  const add = (node: object) => 'name' in node && names.add(String(node.name))
  new Visitor({ Identifier: add, MemberExpression: ({ property }) => add(property) }).visit(
    parseSync(path, textOf(path)).program,
  )
  return [...names].filter(name => Object.hasOwn(HOMES, name))
}

test('what a browser can refuse is named only in its module', () => {
  const readers = new Map(Object.keys(HOMES).map(name => [name, new Set<string>()]))
  for (const path of sourcesOf('web').filter(path => !path.startsWith('web/build/')))
    for (const name of readersOf(path)) readers.get(name)?.add(path)
  const found = Object.fromEntries([...readers].map(([name, paths]) => [name, [...paths].sort()]))
  expect(found).toEqual(HOMES)
})

test('work that a page begins when it is left goes through two modules', () => {
  const listeners = sourcesOf('web').filter(path => textOf(path).includes("'pagehide'"))
  expect(listeners.sort()).toEqual([
    // A change that the viewer typed last, and the HTML of the page: both go to synchronous storage.
    'web/card/field-value.ts',
    'web/data/local-copy/tab-storage.ts',
    'web/feed/last-page.ts',
    'web/lib/page-life.ts',
    'web/start.js',
  ])
})
