// What a database that went back may lack, with real Yjs documents.
import { expect, test } from 'vitest'
import * as Y from 'yjs'
import type { TappedTurn } from '../cluster/tap.ts'
import { clocksOf, digestOf } from '../load/digest.ts'
import type { Seen } from '../load/viewers.ts'
import type { Mark } from '../run.ts'
import { checkLost } from './lost.ts'
import { CHANNEL, cardOf, filesOf, promises, turnOf } from './sample.ts'
import { checkViewers } from './viewers.ts'

const S = 1_000_000

/** Two turns, a second apart, of which the second is lost; and what a viewer shows after each. */
function makeTurns() {
  const doc = new Y.Doc()
  const shows: Seen[] = []
  const turns = ['1/0A', '1/0B'].map((wal, i): TappedTurn => {
    let update: Uint8Array = new Uint8Array()
    doc.once('update', (bytes: Uint8Array) => {
      update = bytes
    })
    doc.getMap('channel').set('name', `turn ${i}`)
    const at = (i + 1) * S
    shows.push({
      at,
      viewer: 0,
      channel_id: CHANNEL,
      kind: 'shows',
      clocks: clocksOf(doc),
      digest: digestOf(doc),
    })
    const turn = turnOf(i + 1, 'card.inserted', cardOf('a', 'one'))
    return { ...turn, at, wal, events: [], update: Buffer.from(update).toString('base64') }
  })
  return { kept: turns.slice(0, 1), lost: turns.slice(1), shows }
}

const loss = (wal: string | null): Mark => ({ at: S, kind: 'lost history', ended: 3 * S, wal })
const { kept, lost, shows } = makeTurns()
const startsOver: Seen = { at: 4 * S, viewer: 0, channel_id: CHANNEL, kind: 'starts over' }

test('what came after the position that the database kept may be lost', () => {
  const files = filesOf({ turns: kept, lost, seen: [...shows, startsOver], marks: [loss('1/0A')] })
  expect([...checkLost(files), ...checkViewers(files)]).toEqual([])
})

test('P1: a lost turn that the database had kept, and any without a loss or with a synchronous standby, is a finding', () => {
  for (const marks of [[loss('1/0B')], [loss(null)], []])
    expect(promises(checkLost(filesOf({ turns: kept, lost, marks })))).toEqual(['P1'])
})

test('P11: a viewer that still shows a lost write ten seconds after the loss is a finding', () => {
  const files = filesOf({ turns: kept, lost, seen: shows, marks: [loss('1/0A')] })
  expect(promises(checkLost(files))).toEqual(['P11'])
})
