// The pages use only what the browsers of package.json have, or do without it.
import { readdirSync } from 'node:fs'
import { expect, test } from 'vitest'
import { oldestBrowsers } from '../../web/build/browsers.ts'
import { lackingNames } from './browser-features.ts'
import { textOf } from './imports.ts'

/** What some browsers of the list lack, and what happens there. */
const SECOND_WAYS = new Map([
  ['field-sizing:', 'web/ui/grow-with.ts'],
  ['anchor-name:', 'toasts stand at the bottom of the window'],
  ['bottom: anchor', 'toasts stand at the bottom of the window'],
  ['anchor(', 'toasts stand at the bottom of the window'],
  ['light-dark(', 'the build replaces it'],
  ['user-select:', 'the build adds the name that Safari has'],
  [
    'text-size-adjust:',
    'Safari has its own name, which stands beside it; in Firefox on a desktop it does nothing',
  ],
  ['text-align: match-parent', 'Chromium has its own name, which stands beside it'],
  ['accent-color:', 'only the colour of native controls'],
  ['forced-color-adjust:', 'Safari has no forced colours'],
  ['content-visibility:', 'only speed'],
  ['overscroll-behavior:', 'only how a scroll ends'],
  ['overscroll-behavior-x:', 'only how a scroll ends'],
  ['scrollbar-color:', 'only looks'],
  ['scrollbar-gutter:', 'only looks'],
  ['scrollbar-width:', 'only looks'],
  ['text-wrap:', 'only where lines break'],
  ['resize:', 'phones have no corner to drag, and text areas grow'],
  [':selection', 'only looks'],
  ...['default', 'grab', 'grabbing', 'not-allowed', 'pointer'].map(
    shape => [`cursor: ${shape}`, 'phones have no pointer'] as const,
  ),
  ['autocapitalize=', 'only for the keyboards of phones'],
  ["'beforeunload'", 'iOS never asks before a page is left'],
  ['.isComposing', 'the data is wrong: Safari 17 has it'],
])

/** Words of our own, of libraries and of older features that the data can't tell apart. */
const OTHER_MEANINGS = new Set([
  ...['.marginBlockEnd', '.destroy', '.changed', '.to', '.adopt', '.move', '.bytes', '.variant', '.drop'],
  ...[
    '.toArray',
    '.handle',
    '.info',
    '.entry',
    '.actions',
    '.icon',
    '.details',
    '.retry',
    '.escape',
    '.union',
  ],
  ...[
    '.format',
    '.lost',
    '.lines',
    '.unit',
    '.silent',
    "'loading'",
    "'update'",
    "'connecting'",
    'InstallEvent',
  ],
])

const sources = ['web', 'shared']
  .flatMap(folder =>
    readdirSync(folder, { recursive: true, encoding: 'utf8' }).map(path => `${folder}/${path}`),
  )
  .filter(path => /\.(tsx?|js|css|html)$/.test(path) && !path.startsWith('web/build/'))
  .map(path => ({ path, text: textOf(path).replace(/\/\*[\s\S]*?\*\/|(?<!:)\/\/.*$/gm, '') }))

/** Matches the name in a style, an attribute or a script. */
function patternOf(name: string): { pattern: RegExp; ending: RegExp } {
  const escaped = name.replace(/[.*+?^${}()|[\]\\]/g, '\\$&').replace(': ', ':[^;{}]*(?<![\\w-])')
  const start = /^\w/.test(name) ? '(?<![\\w-])' : ''
  const end = /\w$/.test(name) ? '(?![\\w-])' : ''
  const ending = name.endsWith('=') ? /\.(tsx|html)$/ : /[:@(]/.test(name) ? /\.css$/ : /\.(tsx?|js)$/
  return { pattern: new RegExp(start + escaped + end), ending }
}

function uses(): { name: string; path: string }[] {
  return lackingNames().flatMap(name => {
    const { pattern, ending } = patternOf(name)
    return sources
      .filter(({ path, text }) => ending.test(path) && pattern.test(text))
      .map(({ path }) => ({ name, path }))
  })
}

test('what a browser of the list lacks has a second way', () => {
  const isKnown = (name: string) =>
    SECOND_WAYS.has(name) || SECOND_WAYS.has(name.replace(/: .*/, ':')) || OTHER_MEANINGS.has(name)
  const found = uses()
  expect(found.filter(({ name }) => !isKnown(name))).toEqual([])
  const names = new Set(found.map(({ name }) => name))
  expect([...SECOND_WAYS.keys(), ...OTHER_MEANINGS].filter(name => !names.has(name))).toEqual([])
})

test('the check knows what a browser of the list lacks', () => {
  const names = new Set(lackingNames())
  for (const name of ['field-sizing:', '.withResolvers', 'URL.parse', '.union', 'closedby='])
    expect(names.has(name), name).toBe(true)
  for (const name of ['URL.canParse', '.showPopover', 'gap:', ':has', '.map'])
    expect(names.has(name), name).toBe(false)
})

test('README.md and the page for older browsers name the browsers of the list', () => {
  const spelled = { safari: 'Safari', firefox: 'Firefox', chrome: 'Chrome' }
  const versions = new Map(oldestBrowsers().map(({ name, version }) => [name, version]))
  const list = Object.entries(spelled).map(([name, spelling]) => `${spelling} ${versions.get(name)}`)
  for (const path of ['README.md', 'web/index.html'])
    expect(textOf(path), path).toContain(`${list.join(', ')} ${path === 'README.md' ? 'and' : 'or'} newer`)
})
