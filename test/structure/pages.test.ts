// What the pages for people name exists: files, headings, scripts and variables.
import { existsSync, readdirSync } from 'node:fs'
import { dirname, posix } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'
import { textOf } from './imports.ts'

const root = fileURLToPath(new URL('../../', import.meta.url))
const inFolder = (folder: string) =>
  readdirSync(`${root}${folder}`)
    .filter(name => name.endsWith('.md'))
    .map(name => posix.join(folder, name))
const pages = ['.', 'docs', 'docs/adr', 'deploy', 'test/bench', 'test/lab', 'test/proof'].flatMap(inFolder)

/** As GitHub names them in links. */
const anchorsOf = (page: string) =>
  [...textOf(page).matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replace(/[^\p{L}\p{N} _-]/gu, '')
      .replaceAll(' ', '-'),
  )

function isThere(page: string, link: string): boolean {
  const [path = '', anchor] = link.split('#')
  const file = path === '' ? page : posix.join(dirname(page), path)
  return existsSync(`${root}${file}`) && (anchor === undefined || anchorsOf(file).includes(anchor))
}

describe.each(pages)('%s', page => {
  const text = textOf(page)

  test('its links lead to files and headings', () => {
    const links = [...text.matchAll(/\]\((?!https?:)([^)\s]+)\)/g)].map(([, link = '']) => link)
    expect(links.filter(link => !isThere(page, link))).toEqual([])
  })

  test('the scripts that it runs are in package.json', () => {
    const { scripts }: { scripts: Record<string, string> } = JSON.parse(textOf('package.json'))
    const names = [...text.matchAll(/npm run ([a-z][\w:-]*)/g)].map(([, name = '']) => name)
    expect(names.filter(name => !Object.hasOwn(scripts, name))).toEqual([])
  })
})

test('README.md names each page of docs/ and each folder of the server', () => {
  const [, list = ''] = /^## Where things are\n+```\n(.+?)^```/ms.exec(textOf('README.md')) ?? []
  const names = new Set(list.match(/[\w-]+/g))
  const folders = ['server', '.'].flatMap(folder =>
    readdirSync(`${root}${folder}`, { withFileTypes: true })
      .filter(
        entry =>
          entry.isDirectory() && !/^\.|^(node_modules|dist|data|test-results|coverage)$/.test(entry.name),
      )
      .map(({ name }) => name),
  )
  const written = inFolder('docs').map(page => posix.basename(page, '.md'))
  expect([...folders, ...written].filter(name => !names.has(name))).toEqual([])
})
