// The walks through the code in docs/walks.md name files and functions that exist.
import { expect, test } from 'vitest'
import { textOf } from './imports.ts'

const docs = textOf('docs/walks.md')

test.each(['POST card → viewer', 'click → webhook'])('the walk %s names what its files have', title => {
  const [, section = ''] = docs.split(`## Trace: ${title}`)
  const rows = section.split('\n## ')[0]?.matchAll(/^\| \d+ \| (?:`(\S+)`)? ?\| (.+?) \|/gm) ?? []
  const missing: string[] = []
  const files = new Set<string>()
  let steps = 0
  let file = ''
  for (const [, path, functions = ''] of rows) {
    steps++
    file = path ?? file
    files.add(file)
    for (const [, name = ''] of functions.matchAll(/`([^`]+)`/g))
      for (const part of name.split('.'))
        if (!new RegExp(`(?<![\\w#])${part}\\b`).test(textOf(file))) missing.push(`${file}: ${part}`)
  }
  expect(missing).toEqual([])
  expect(/\d+ steps through \d+ files/.exec(section)?.[0]).toBe(`${steps} steps through ${files.size} files`)
})
