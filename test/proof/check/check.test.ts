// The checkers find what they are for, in small histories.
import { expect, test } from 'vitest'
import type { Card } from '../../../shared/card.ts'
import type { TappedTurn } from '../cluster/tap.ts'
import type { Request, Tried } from '../load/posters.ts'
import { blocksOf } from '../model/cards.ts'
import type { Files } from './files.ts'
import { checkLinearizable } from './linearizable.ts'
import { checkOnce } from './once.ts'
import { intersect, without } from './ranges.ts'

const CHANNEL = 'channel'

/** A card of the log, as its turn shows it. */
function card(id: string, content: string, rows: string[] = []): Card {
  const at = '2026-01-31T12:00:00.000Z'
  const kv = { type: 'kv' as const, id: 'rows', rows: rows.map(key => ({ key, value: '' })) }
  const text = { type: 'text' as const, size: 'md' as const, bold: false }
  const blocks = [{ ...text, id: 'content', content }, { ...text, id: 'note', content: '' }, kv]
  return { id, channel_id: CHANNEL, status: 'default', blocks, created_at: at, updated_at: at }
}

const turn = (seq: number, type: 'card.inserted' | 'card.updated', data: Card): TappedTurn => ({
  at: seq,
  n: seq,
  timeline: '00000001',
  wal: '0/0',
  channel_id: CHANNEL,
  epoch: 0,
  seq,
  clock: seq,
  turn_id: `turn ${seq}`,
  update: '',
  events: [{ type, data }],
})

function tried(request: Request, [begin, end]: [number, number], status: number, body: unknown): Tried {
  const answer = { status, body, replayed: false }
  return { request, channel_id: CHANNEL, instance: 0, begin, end, answer, error: null }
}

const post = (op: string, id: string, times: [number, number]) =>
  tried({ kind: 'post', op, status: 'default' }, times, 201, { id })

const patch = (op: string, rows: string[], times: [number, number]) =>
  tried({ kind: 'patch', op, card_id: 'a' }, times, 200, {
    id: 'a',
    status: 'default',
    blocks: blocksOf({ content: 'one', note: '', rows }),
  })

const get = (rows: string[], times: [number, number]) =>
  tried({ kind: 'get', op: 'read', card_id: 'a' }, times, 200, card('a', 'one', rows))

const files = (turns: TappedTurn[], tried: Tried[]): Files => ({
  tried,
  turns,
  lost_ids: new Set(),
  seen: [],
  heard: [],
  delivered: [],
  deliveries: [],
  marks: [],
})

const log = [turn(2, 'card.inserted', card('a', 'one')), turn(3, 'card.updated', card('a', 'one', ['two']))]
const history = [post('one', 'a', [10, 20]), patch('two', ['two'], [30, 40])]
const promises = (findings: { promise: string }[]) => findings.map(({ promise }) => promise)

test('a history that the log explains has no findings', () => {
  const good = files(log, [...history, get(['two'], [50, 60])])
  expect([...checkOnce(good), ...checkLinearizable(good)]).toEqual([])
})

test('P1: an acknowledged write that the log lacks is lost', () => {
  expect(promises(checkOnce(files(log.slice(0, 1), history)))).toEqual(['P1'])
})

test('P2: a write that is twice in the log, or that no client sent', () => {
  const twice = [...log, turn(4, 'card.inserted', card('b', 'one'))]
  expect(promises(checkOnce(files(twice, history)))).toEqual(['P2'])
  const forged = [...log, turn(4, 'card.inserted', card('b', 'forged'))]
  expect(promises(checkOnce(files(forged, history)))).toEqual(['P2'])
})

test('P2: one seq with two contents, and a seq that is missing', () => {
  const other = { ...turn(3, 'card.updated', card('a', 'one', ['two'])), turn_id: 'another' }
  expect(promises(checkOnce(files([...log, other], history)))).toEqual(['P2'])
  const gap = [...log, { ...turn(5, 'card.updated', card('a', 'one', ['two'])) }]
  expect(promises(checkOnce(files(gap, history)))).toEqual(['P2'])
})

test('P3: writes that the log has in the other order than their clients saw', () => {
  const late = [post('one', 'a', [10, 20]), post('later', 'b', [60, 70]), patch('two', ['two'], [80, 90])]
  const [first, second] = log
  if (!first || !second) throw new Error('the log has two turns')
  const swapped = [first, second, { ...turn(4, 'card.inserted', card('b', 'later')) }]
  expect(promises(checkLinearizable(files(swapped, late)))).toEqual(['P3'])
})

test('P4: a read that began after an acknowledgement and lacks the write', () => {
  expect(promises(checkLinearizable(files(log, [...history, get([], [50, 60])])))).toEqual(['P4'])
  const concurrent = [...history, get([], [35, 60])]
  expect(checkLinearizable(files(log, concurrent))).toEqual([])
})

test('ranges intersect, and leave gaps', () => {
  const ranges = without([{ lo: 0, hi: 10 }], { lo: 3, hi: 5 })
  expect(ranges).toEqual([
    { lo: 0, hi: 2 },
    { lo: 6, hi: 10 },
  ])
  expect(intersect(ranges, [{ lo: 2, hi: 6 }])).toEqual([
    { lo: 2, hi: 2 },
    { lo: 6, hi: 6 },
  ])
})
