// What the viewers' checker finds, with real Yjs documents.
import { expect, test } from 'vitest'
import * as Y from 'yjs'
import type { TappedTurn } from '../cluster/tap.ts'
import type { FaultKind } from '../faults.ts'
import { clocksOf, digestOf } from '../load/digest.ts'
import type { Seen } from '../load/viewers.ts'
import type { Mark } from '../run.ts'
import { checkCalm } from './calm.ts'
import { checkConnected } from './connected.ts'
import { filesOf, history, log, promises } from './sample.ts'
import { checkViewers } from './viewers.ts'

const CHANNEL = 'channel'
const S = 1_000_000

/** A log of three turns, one a second, and what a viewer shows after each. */
function writeLog() {
  const doc = new Y.Doc()
  const turns: TappedTurn[] = []
  const shows: Seen[] = []
  for (let seq = 1; seq <= 3; seq++) {
    let update: Uint8Array = new Uint8Array()
    doc.once('update', (bytes: Uint8Array) => {
      update = bytes
    })
    doc.getMap('channel').set('name', `turn ${seq}`)
    const { channel_id, epoch, at } = { channel_id: CHANNEL, epoch: 0, at: seq * S }
    const clock = Y.getState(doc.store, doc.clientID)
    const rest = { timeline: '', wal: '', turn_id: `turn ${seq}`, events: [] }
    turns.push({
      at,
      n: seq,
      channel_id,
      epoch,
      seq,
      clock,
      update: Buffer.from(update).toString('base64'),
      ...rest,
    })
    shows.push({ at, viewer: 0, channel_id, kind: 'shows', clocks: clocksOf(doc), digest: digestOf(doc) })
  }
  return { turns, shows }
}

const marks: Mark[] = [
  { at: 2 * S, kind: 'phase', phase: 'heal' },
  { at: 20 * S, kind: 'phase', phase: 'resume' },
  { at: 21 * S, kind: 'phase', phase: 'end' },
]

const check = (turns: TappedTurn[], seen: Seen[]) => promises(checkViewers(filesOf({ turns, seen, marks })))

test('a viewer that shows turns of the log, even if not all, has no findings', () => {
  const { turns, shows } = writeLog()
  expect(check(turns, shows)).toEqual([])
  expect(
    check(
      turns,
      shows.filter((_, i) => i !== 1),
    ),
  ).toEqual([])
})

test('P5: a viewer that shows what the log lacks, or something else, is a finding', () => {
  const { turns, shows } = writeLog()
  expect(check(turns, [...writeLog().shows.slice(0, 1), ...shows])).toEqual(['P5'])
  const forged = shows.map(
    (one, i): Seen => (i === 1 && one.kind === 'shows' ? { ...one, digest: 'other' } : one),
  )
  expect(check(turns, forged)).toEqual(['P5'])
})

test('P5: a viewer that goes back is a finding', () => {
  const { turns, shows } = writeLog()
  expect(check(turns, [...shows, ...shows.slice(0, 1)])).toEqual(['P5'])
})

test('P6: a viewer that is not complete ten seconds after the heal is a finding', () => {
  const { turns, shows } = writeLog()
  expect(check(turns, shows.slice(0, 2))).toEqual(['P6'])
  const joins: Seen = { at: 0, viewer: 1, channel_id: CHANNEL, kind: 'joins' }
  expect(check(turns, [...shows, joins])).toEqual(['P6'])
  const late = shows.map((one, i) => (i === 2 ? { ...one, at: 15 * S } : one))
  expect(check(turns, late)).toEqual(['P6'])
})

test('P6: a write that viewers show more than a second after its acknowledgement, without faults, is a finding', () => {
  const { turns, shows } = writeLog()
  const events = [[], ...log.map(turn => turn.events)]
  const calm = filesOf({
    turns: turns.map((turn, i) => ({ ...turn, events: events[i] ?? [] })),
    tried: history.map(one => ({ ...one, begin: S, end: S })),
    marks: (['ramp', 'resume'] as const).map(phase => ({ at: 0, kind: 'phase', phase })),
  })
  const shownAt = (at: number) => shows.map(one => ({ ...one, at }))
  expect(checkCalm({ ...calm, seen: shownAt(1.9 * S) })).toEqual([])
  expect(promises(checkCalm({ ...calm, seen: shownAt(2.1 * S) }))).toEqual(['P6'])
})

test('P14: a viewer that loses its connection because the database is in trouble is a finding', () => {
  const change = (at: number, kind: 'opened' | 'closed'): Seen => {
    const one = { at: at * S, viewer: 0, channel_id: CHANNEL }
    return kind === 'opened' ? { ...one, kind } : { ...one, kind, code: 1006 }
  }
  const during = (fault: FaultKind): Mark[] => [
    { at: 2 * S, kind: 'fault', fault: { at: 0, lasts: 0, ...fault }, ended: 4 * S, evidence: 'felt' },
  ]
  const lost = [change(1, 'opened'), change(3, 'closed')]
  const killed: FaultKind = { kind: 'postgres', how: 'killed' }
  expect(promises(checkConnected({ marks: during(killed), seen: lost }))).toEqual(['P14'])
  // A stock client that reconnects says only that it is connected again.
  const again = [change(1, 'opened'), change(3, 'opened')]
  const shifted: FaultKind = { kind: 'clock', instance: 0, shift_s: -3_600 }
  expect(promises(checkConnected({ marks: during(shifted), seen: again }))).toEqual(['P6'])
  expect(checkConnected({ marks: during({ kind: 'kill', instance: 0 }), seen: lost })).toEqual([])
  const away = [change(1, 'closed'), change(3, 'opened')]
  expect(checkConnected({ marks: during(killed), seen: away })).toEqual([])
})
