// What the checker of snapshots finds, with real Yjs documents.
import { expect, test } from 'vitest'
import * as Y from 'yjs'
import type { TappedTurn } from '../cluster/tap.ts'
import { clocksOf, digestOf } from '../load/digest.ts'
import { CHANNEL, cardOf, filesOf, promises, turnOf } from './sample.ts'
import { checkSnapshots } from './snapshots.ts'

/** A log of two turns, and the document after each. */
function writeLog() {
  const doc = new Y.Doc()
  return [1, 2].map(seq => {
    const before = Y.encodeStateVector(doc)
    doc.getMap('channel').set('name', `turn ${seq}`)
    const update = Buffer.from(Y.encodeStateAsUpdate(doc, before)).toString('base64')
    const turn: TappedTurn = { ...turnOf(seq, 'card.inserted', cardOf('a', 'one')), update }
    return { turn, clocks: clocksOf(doc), digest: digestOf(doc) }
  })
}

const log = writeLog()
const turns = log.map(({ turn }) => turn)
const [first, second] = log

const check = (
  seq: number,
  { clocks = {}, digest = '' }: { clocks?: Record<string, number>; digest?: string } = {},
) => {
  const stored = { kind: 'stored snapshot' as const, channel_id: CHANNEL, epoch: 0, seq, clocks, digest }
  return promises(checkSnapshots(filesOf({ turns, ending: [stored] })))
}

test('a snapshot that is the document after its turn has no findings', () => {
  expect(check(1, first)).toEqual([])
  expect(check(2, second)).toEqual([])
})

test('a snapshot without the last update of the log before it breaks P1', () => {
  expect(check(2, first)).toEqual(['P1'])
})

test('a snapshot that shows something else than its turn breaks P1', () => {
  expect(check(2, { clocks: second?.clocks, digest: first?.digest })).toEqual(['P1'])
})

test('a snapshot of a turn that the log lacks breaks P1', () => {
  expect(check(3, second)).toEqual(['P1'])
})
