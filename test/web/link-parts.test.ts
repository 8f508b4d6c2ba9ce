// Which parts of a plain text become links.
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { linkParts } from '../../web/lib/link-parts.ts'
import { forAll } from '../support/for-all.ts'

const links = (content: string) => linkParts(content).flatMap(part => part.href ?? [])

test.each([
  ['see https://example.com/a?b=c#d now', ['https://example.com/a?b=c#d']],
  ['http://a.example and HTTPS://B.example', ['http://a.example', 'HTTPS://B.example']],
  ['It is at https://example.com/a.', ['https://example.com/a']],
  ['(https://example.com/a)', ['https://example.com/a']],
  ['https://en.wikipedia.org/wiki/Yjs_(library)!', ['https://en.wikipedia.org/wiki/Yjs_(library)']],
  ['line\nhttps://example.com\nline', ['https://example.com']],
  ['<a href="https://example.com">x</a>', ['https://example.com']],
  ['javascript:alert(1) ftp://example.com data:text/html,x //example.com', []],
  ['https:// http://', []],
  ['', []],
])('the links of “%s” are found', (content, expected) => {
  expect(links(content)).toEqual(expected)
})

/** The same rule as a simple quadratic loop: drops punctuation at the end, and brackets while a pair is unbalanced. */
function trimmed(link: string): string {
  const count = (bracket: string) => link.split(bracket).length
  const even = count('(') === count(')') && count('[') === count(']') && count('{') === count('}')
  const goes = /[.,:;!?…*_~]$/.test(link) || (/[)\]}]$/.test(link) && !even)
  return goes ? trimmed(link.slice(0, -1)) : link
}

test('a link loses the punctuation at its end, and brackets that it did not open', () => {
  const characters = fc.constantFrom('a', '/', '.', '…', '(', ')', '[', ']', '{', '}')
  const ends = fc.string({ unit: characters, maxLength: 12 })
  const check = (link: string) => expect(links(link)).toEqual([trimmed(link)])
  forAll(ends, end => check(`https://x/${end}`), 5_000)
})

test('the parts join to the text again, and every link is http or https', () => {
  const words = 'https:// http:// javascript: a.example / \n ( ) . < " 😀'.split(' ')
  const pieces = fc.oneof(fc.constantFrom(...words, ' '), fc.string())
  forAll(fc.array(pieces, { maxLength: 20 }), list => {
    const content = list.join('')
    const parts = linkParts(content)
    expect(parts.map(part => part.text).join('')).toBe(content)
    for (const { href } of parts) if (href !== null) expect(new URL(href).protocol).toMatch(/^https?:$/)
  })
})
