// The checkers find what they are for, in small histories.
import { expect, test } from 'vitest'
import type { TappedTurn } from '../cluster/tap.ts'
import type { Tried } from '../load/posters.ts'
import { blocksOf, newContents } from '../model/cards.ts'
import { KEY_IN_USE } from '../model/refusals.ts'
import { checkLinearizable } from './linearizable.ts'
import { checkOnce } from './once.ts'
import { intersect, without } from './ranges.ts'
import { CHANNEL, cardOf, filesOf, history, log, promises, triedOf, turnOf, unknown } from './sample.ts'

const files = (turns: TappedTurn[], tried: Tried[]) => filesOf({ turns, tried })

const post = (op: string, id: string, times: [number, number]) =>
  triedOf({ kind: 'post', op, status: 'default' }, times, 201, { id })

const get = (rows: string[], times: [number, number]) =>
  triedOf({ kind: 'get', op: 'read', card_id: 'a' }, times, 200, cardOf('a', 'one', rows))

test('a history that the log explains has no findings', () => {
  const good = files(log, [...history, get(['two'], [50, 60])])
  expect([...checkOnce(good), ...checkLinearizable(good)]).toEqual([])
})

test('P1: an acknowledged write that the log lacks is lost', () => {
  expect(promises(checkOnce(files(log.slice(0, 1), history)))).toEqual(['P1'])
})

test('P2: a write that is twice in the log, or that no client sent, is a finding', () => {
  const twice = [...log, turnOf(4, 'card.inserted', cardOf('b', 'one'))]
  expect(promises(checkOnce(files(twice, history)))).toEqual(['P2'])
  const forged = [...log, turnOf(4, 'card.inserted', cardOf('b', 'forged'))]
  expect(promises(checkOnce(files(forged, history)))).toEqual(['P2'])
})

test('a question that is sent twice may be refused for its key once, while another question waits, and be asked by the other try', () => {
  const question = { who: 'anyone', agents: false, key: 'k', expires_in: null } as const
  const ask = { kind: 'post', op: 'ask', status: 'pending', question } as const
  const blocks = JSON.parse(JSON.stringify(blocksOf(newContents('ask', { asks: true }))))
  const asking = { ...cardOf('b', 'ask'), status: 'pending' as const, blocks }
  const turns = [...log, turnOf(4, 'card.inserted', asking)]
  const refused = triedOf(ask, [50, 60], KEY_IN_USE.status, {
    error: 'A different question with this key is waiting',
    code: 'key_in_use',
  })
  const check = (...tried: Tried[]) => {
    const all = files(turns, [...history, ...tried])
    return promises([...checkOnce(all), ...checkLinearizable(all)])
  }
  const made = { id: 'b', channel_id: CHANNEL }
  expect(check(refused, triedOf(ask, [52, 70], 201, made))).toEqual([])
  expect(check(refused, unknown(ask, [52, 70]))).toEqual([])
  expect(check(refused)).toContain('P2')
})

test('P2: one seq with two contents, and a seq that is missing, are findings', () => {
  const other = { ...turnOf(3, 'card.updated', cardOf('a', 'one', ['two'])), turn_id: 'another' }
  expect(promises(checkOnce(files([...log, other], history)))).toEqual(['P2'])
  const gap = [...log, { ...turnOf(5, 'card.updated', cardOf('a', 'one', ['two'])) }]
  expect(promises(checkOnce(files(gap, history)))).toEqual(['P2'])
})

test('P3: writes that the log has in the other order than their clients saw are a finding', () => {
  const [first_write, second_write] = history
  if (!first_write || !second_write) throw new Error('the history has two writes')
  const late = [first_write, post('later', 'b', [60, 70]), { ...second_write, begin: 80, end: 90 }]
  const [first, second] = log
  if (!first || !second) throw new Error('the log has two turns')
  const swapped = [first, second, { ...turnOf(4, 'card.inserted', cardOf('b', 'later')) }]
  expect(promises(checkLinearizable(files(swapped, late)))).toEqual(['P3'])
})

test('P4: a read that began after an acknowledgement and lacks the write is a finding', () => {
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

test('P3: a refusal with other words, or for a card that was gone, is a finding', () => {
  const refused = (op: string, times: [number, number], status: number, error: string) =>
    triedOf({ kind: 'refused', op, how: 'unknown block', card_id: 'a' }, times, status, { error })
  const words = 'blocks[1]: no block with id "none"'
  const check = (tried: Tried) => promises(checkLinearizable(files(log, [...history, tried])))
  expect(check(refused('no', [50, 60], 400, words))).toEqual([])
  expect(check(refused('no', [50, 60], 400, 'no such block'))).toEqual(['P3'])
  expect(check(refused('no', [50, 60], 404, 'Card not found'))).toEqual(['P3'])
  expect(check(refused('no', [1, 5], 400, words))).toEqual(['P3'])
})

test('P4: a key that no card seems to have is a finding', () => {
  const put = triedOf({ kind: 'put', op: 'three', key: 'k' }, [50, 60], 201, { id: 'b', key: 'k' })
  const turns = [...log, turnOf(4, 'card.inserted', { ...cardOf('b', 'three'), key: 'k' })]
  const missing = (times: [number, number]) =>
    triedOf({ kind: 'get key', op: 'read', key: 'k' }, times, 404, { error: 'Card not found' })
  const check = (times: [number, number]) =>
    promises(checkLinearizable(files(turns, [...history, put, missing(times)])))
  expect(check([45, 55])).toEqual([])
  expect(check([70, 80])).toEqual(['P4'])
})
