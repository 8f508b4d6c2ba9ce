import { posix } from 'node:path'
import { expect, test } from 'vitest'
import { textOf } from './imports.ts'

const STATEMENT = /^(?:import|export) (?!type\b)(?:([^'"]*?) from )?'([^']+)'/gm

/** What a file imports for more than its types, at once. */
function loadedBy(path: string): string[] {
  return [...textOf(path).matchAll(STATEMENT)].flatMap(([, names, to = '']) => {
    const listed = names?.match(/^\{([^}]*)\}$/)?.[1]?.split(',') ?? []
    const onlyTypes = listed.length > 0 && listed.every(name => /^\s*(type\s|$)/.test(name))
    if (onlyTypes) return []
    return [to.startsWith('.') ? posix.join(posix.dirname(path), to) : to]
  })
}

test('neither the app nor the live feed nor the log loads zod, which weighs as much as the feed', () => {
  const ways = new Map([
    ['web/main.tsx', 'web/main.tsx'],
    ['web/data/channel/live-document.ts', 'web/data/channel/live-document.ts'],
    ['web/pages/channel-log.tsx', 'web/pages/channel-log.tsx'],
  ])
  for (const [path, way] of ways) {
    if (!/\.tsx?$/.test(path)) continue
    for (const to of loadedBy(path)) if (!ways.has(to)) ways.set(to, `${way} → ${to}`)
  }
  expect(ways.size).toBeGreaterThan(100)
  expect(ways.get('zod')).toBeUndefined()
})
