// Which kinds of things a run met.
import { expect, test } from 'vitest'
import { makePlan, QUICK } from '../plan.ts'
import { coverageOf } from './coverage.ts'
import { CHANNEL, cardOf, filesOf, triedOf, turnOf } from './sample.ts'

const plan = makePlan(1, { ...QUICK, large: 1 })

test('a run that met nothing names every kind that was planned', () => {
  const { missing } = coverageOf(filesOf({}), plan)
  expect(missing).toContain('no snapshots by the worker')
  expect(missing).toContain('no viewers that join in a burst')
  expect(missing).toContain('no deletions of archived cards')
})

test('in small channels no card is archived, so no run has to change one', () => {
  const { missing } = coverageOf(filesOf({}), { ...plan, cards: 100 })
  expect(missing).not.toContain('no deletions of archived cards')
})

test('only a snapshot that the worker took counts as one of the worker’s', () => {
  const snapshot = { kind: 'snapshot' as const, channel_id: CHANNEL, seq: 1, bytes: 1 }
  const count = (by_worker: boolean) =>
    coverageOf(filesOf({ ending: [{ ...snapshot, by_worker }] }), plan).counts['snapshots by the worker']
  expect(count(false)).toBe(0)
  expect(count(true)).toBe(1)
})

test('a newcomer counts if it joined while a write of a burst in its channel was under way', () => {
  const burst = triedOf({ kind: 'post', op: '1-p0-d1-b0', status: 'default' }, [10, 20], 201, { id: 'a' })
  const count = (viewer: number, at: number) => {
    const joins = { at, viewer, channel_id: CHANNEL, kind: 'joins' as const }
    const opened = { at: at + 3, viewer, channel_id: CHANNEL, kind: 'opened' as const }
    return coverageOf(filesOf({ tried: [burst], seen: [joins, opened] }), plan).counts[
      'viewers that join in a burst'
    ]
  }
  expect(count(QUICK.viewers, 15)).toBe(1)
  expect(count(QUICK.viewers, 8)).toBe(1)
  expect(count(QUICK.viewers, 25)).toBe(0)
  expect(count(0, 15)).toBe(0)
})

test('a change of a card counts as one of an archived card when its page has left the document', () => {
  const cards = Array.from({ length: 321 }, (_, i) =>
    turnOf(i + 1, 'card.inserted', cardOf(`c${i}`, `op ${i}`)),
  )
  const count = (card: string) => {
    const change = turnOf(400, 'card.updated', cardOf(card, 'op', ['row']))
    return coverageOf(filesOf({ turns: [...cards, change] }), plan).counts['changes of archived cards']
  }
  expect(count('c63')).toBe(1)
  expect(count('c64')).toBe(0)
})
