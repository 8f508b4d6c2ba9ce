import { expect, test } from 'vitest'
import type { TappedTurn } from '../cluster/tap.ts'
import type { Fault, FaultKind } from '../faults.ts'
import type { Tried } from '../load/posters.ts'
import { blocksOf, newContents } from '../model/cards.ts'
import { checkBounds } from './bounds.ts'
import type { Files } from './files.ts'
import { checkOnce } from './once.ts'
import { CHANNEL, cardOf, filesOf, turnOf } from './sample.ts'
import { checkSentOnce, withoutLost } from './without-lost.ts'

const turn = (seq: number, content: string): TappedTurn => ({
  ...turnOf(seq, 'card.inserted', cardOf(content, content)),
  at: 100 * seq,
})

function post(op: string, end: number): Tried {
  const body = { id: op, blocks: blocksOf(newContents(op)) }
  const answer = { status: 201, body, replayed: false }
  const request = { kind: 'post' as const, op, status: 'default' as const }
  return { request, channel_id: CHANNEL, instance: 0, begin: end - 10, end, answer, error: null }
}

const during = (kind: FaultKind): Files['marks'] => {
  const fault: Fault = { at: 0, lasts: 0, ...kind }
  return [{ at: 250, kind: 'fault', fault, ended: 500, evidence: 'felt' }]
}

/** Cards one, two and three, of which the database lacks the last. */
const files = (marks: Files['marks']): Files =>
  filesOf({
    tried: [post('one', 110), post('two', 210), post('three', 310)],
    turns: [turn(1, 'one'), turn(2, 'two')],
    lost: [turn(3, 'three')],
    marks,
  })

const check = (files: Files) =>
  [...checkSentOnce(files), ...withoutLost(checkOnce)(files)].map(({ promise }) => promise)
const failover = during({ kind: 'failover', synchronous: false })

test('P11: a failover may lose what was acknowledged after the standby stopped receiving', () => {
  expect(check(files(failover))).toEqual([])
})

test('P1: nothing may be lost without a fault, or with a synchronous standby', () => {
  expect(check(files([]))).toEqual(['P1'])
  expect(check(files(during({ kind: 'failover', synchronous: true })))).toEqual(['P1'])
})

test('P1: an acknowledged write that no loss explains must not be gone', () => {
  const lacking = { ...files(failover), turns: [turn(1, 'one')] }
  expect(check(lacking)).toEqual(['P1'])
})

test('P8: a delivery that is sent again after the loss, though nobody asked for it, is a finding', () => {
  const delivered = [270, 600].map(at => ({ at, webhook_id: 'w', path: '/', body: '{}', complete: true }))
  expect(check({ ...files(failover), delivered })).toEqual(['P8'])
  const { request, ...rest } = post('again', 590)
  const redelivered: Tried = { ...rest, request: { kind: 'redeliver', op: request.op, interaction_id: 'w' } }
  expect(checkSentOnce({ ...files(failover), delivered, tried: [redelivered] })).toEqual([])
})

test('P13: a write to another channel that takes a second longer while a row is locked is a finding', () => {
  const [mark] = during({ kind: 'locked row', channel: 0 })
  if (mark?.kind !== 'fault') throw new Error('the mark is of a fault')
  const slow = { ...post('slow', 1_200_000), begin: 300 }
  const locked = {
    ...files([{ ...mark, channel_id: 'locked', ended: 2_000_000 }]),
    tried: [post('one', 110), slow],
  }
  expect(checkBounds(locked).map(({ promise }) => promise)).toEqual(['P13'])
  expect(checkBounds({ ...locked, tried: [{ ...slow, channel_id: 'locked' }] })).toEqual([])
})

test('a bound that a fault measured is broken if it took too long, or never happened', () => {
  const bound = { at: 0, kind: 'bound' as const, promise: 'P10', what: 'it ends', limit_ms: 10 }
  const findings = [5, 11, null].flatMap(took_ms => checkBounds(files([{ ...bound, took_ms }])))
  expect(findings.map(({ message }) => message)).toEqual([
    'it ends: after 11 ms, not within 10 ms',
    'it ends: never, not within 10 ms',
  ])
})
