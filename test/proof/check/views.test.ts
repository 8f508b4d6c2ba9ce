// All views of a quiet channel show the same, with a real Yjs document.
import { expect, test } from 'vitest'
import * as Y from 'yjs'
import { type PageMap, pagesOf } from '../../../shared/channel-doc.ts'
import { insertCard } from '../../support/yjs-cards.ts'
import { clocksOf, digestOf } from '../load/digest.ts'
import type { Heard } from '../load/streams.ts'
import type { View } from '../load/views.ts'
import { CHANNEL, cardOf, filesOf, promises, triedOf, turnOf } from './sample.ts'
import { checkViews } from './views.ts'

const card = { ...cardOf('a', 'one'), position: 0 }
const other = { ...cardOf('a', 'other'), position: 0 }
const { position: _, ...listed } = card

function writeTurn() {
  const doc = new Y.Doc()
  const page: PageMap = new Y.Map()
  doc.transact(() => {
    pagesOf(doc).set('0', page)
    insertCard(page, card)
  })
  const update = Buffer.from(Y.encodeStateAsUpdate(doc)).toString('base64')
  return { turn: { ...turnOf(2, 'card.inserted', listed), update }, doc }
}

const { turn, doc } = writeTurn()
const in_channel = { channel_id: CHANNEL, name: 'it' }
const rows: View = { ...in_channel, kind: 'rows', cards: [card] }
const good: View[] = [
  rows,
  { ...in_channel, kind: 'list', cards: [listed] },
  { ...in_channel, kind: 'pages', cards: [card], again: [304] },
  { ...in_channel, kind: 'document', clocks: clocksOf(doc), digest: digestOf(doc) },
  { ...in_channel, kind: 'count', count: 1 },
  { ...in_channel, kind: 'waiting', total: 0, cards: [] },
]
const heard: Heard = {
  at: 5,
  stream: 0,
  channel_id: CHANNEL,
  event: 'card.inserted',
  id: '0.2.-1.0',
  data: listed,
}

function check(views: View[], events = [heard]) {
  const tried = [triedOf({ kind: 'post', op: 'one', status: 'default' }, [1, 2], 201, { id: 'a' })]
  const marks = [{ at: 10, kind: 'phase' as const, phase: 'resume' as const }]
  return promises(checkViews(filesOf({ tried, turns: [turn], heard: events, views, marks })))
}

test('views that show the same have no findings', () => expect(check(good)).toEqual([]))

test('P6: each view that shows something else is a finding', () => {
  const bad: View[] = [
    { ...in_channel, kind: 'list', cards: [] },
    { ...in_channel, kind: 'pages', cards: [other], again: [304] },
    { ...in_channel, kind: 'pages', cards: [card], again: [200] },
    { ...in_channel, kind: 'document', clocks: {}, digest: digestOf(doc) },
    { ...in_channel, kind: 'document', clocks: clocksOf(doc), digest: 'other' },
    { ...in_channel, kind: 'count', count: 2 },
    { ...in_channel, kind: 'waiting', total: 1, cards: [card] },
  ]
  for (const view of bad) expect(check([...good, view])).toEqual(['P6'])
})

test('P6: rows that differ from the model and the log, and an event stream that lacks a card, are findings', () => {
  const wrong: View = { ...in_channel, kind: 'rows', cards: [other] }
  expect(check([wrong], [])).toEqual(['P6', 'P6'])
  expect(check([rows], [{ ...heard, event: 'card.deleted' }])).toEqual(['P6'])
})
