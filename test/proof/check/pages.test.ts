// P5: a page is of one moment, which its ETag names.
import { expect, test } from 'vitest'
import type { Mark } from '../run.ts'
import { checkPages } from './pages.ts'
import { cardOf, filesOf, history, log, promises, triedOf } from './sample.ts'

/** Page 0 with card `a`; turn 3 has added the row. */
function check(rows: string[], etag: string, { position = 0, status = 200 } = {}) {
  const body = status === 200 ? { page: 0, cards: [{ ...cardOf('a', 'one', rows), position }] } : null
  const request = { kind: 'page' as const, op: 'read', page: 0, ...(status === 304 && { etag: '"0.3"' }) }
  const read = triedOf(request, [50, 60], status, body, { etag })
  return promises(checkPages(filesOf({ turns: log, tried: [...history, read] })))
}

test('a page as it was after the turn of its ETag has no findings', () => {
  expect(check([], '"0.2"')).toEqual([])
  expect(check(['two'], '"0.3"')).toEqual([])
  expect(check(['two'], '"0.9"')).toEqual([])
  expect(check([], '"0.3"', { status: 304 })).toEqual([])
})

test('P5: a page that lacks the turn of its ETag, or shows what never was, is a finding', () => {
  expect(check([], '"0.3"')).toEqual(['P5'])
  expect(check(['other'], '"0.3"')).toEqual(['P5'])
  expect(check(['two'], '"0.3"', { position: 7 })).toEqual(['P5'])
})

test('P5: a 304 for another ETag is a finding', () =>
  expect(check([], '"0.4"', { status: 304 })).toEqual(['P5']))

test('P6: a page may be missing for a second after it began, and for ten seconds after a fault', () => {
  const S = 1_000_000
  const missing = (at_s: number, page: number, marks: Mark[] = []) => {
    const span: [number, number] = [at_s * S, at_s * S + 1]
    const read = triedOf({ kind: 'page', op: 'read', page }, span, 404, { error: 'Page not found' })
    return promises(checkPages(filesOf({ turns: log, tried: [...history, read], marks })))
  }
  const fault: Mark = {
    at: 0.5 * S,
    kind: 'fault',
    fault: { at: 0, lasts: 0, kind: 'kill', instance: 0 },
    ended: 3 * S,
    evidence: 'died',
  }
  expect(missing(0.9, 0)).toEqual([])
  expect(missing(1.1, 0)).toEqual(['P6'])
  expect(missing(12.9, 0, [fault])).toEqual([])
  expect(missing(13.1, 0, [fault])).toEqual(['P6'])
  // It never began.
  expect(missing(60, 1)).toEqual([])
})
