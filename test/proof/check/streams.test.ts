// P5 and P6: what an event stream hears.
import { expect, test } from 'vitest'
import type { Heard } from '../load/streams.ts'
import type { Mark } from '../run.ts'
import { CHANNEL, filesOf, log, promises } from './sample.ts'
import { checkStreams } from './streams.ts'

const END: Mark = { at: 100, kind: 'phase', phase: 'end' }
const LOSS: Mark = { at: 1, kind: 'lost history', ended: 2, wal: null }

const heardOf = (event: string, id: string, data: unknown = null): Heard => ({
  at: 1,
  stream: 0,
  channel_id: CHANNEL,
  event,
  id,
  data,
})
const events = log.flatMap(({ epoch, seq, events }) =>
  (events ?? []).map(({ type, data }) => heardOf(type, `${epoch}.${seq}.-1`, data)),
)
const check = (heard: Heard[], marks: Mark[] = []) =>
  promises(checkStreams(filesOf({ turns: log, heard, marks: [...marks, END] })))

test('every event, once and in order, has no findings', () => {
  expect(check(events)).toEqual([])
})

test('P5 and P6: an event twice, or the last one missing', () => {
  expect(check([...events.slice(0, 1), ...events])).toContain('P5')
  expect(check(events.slice(0, -1))).toEqual(['P6'])
})

test('P5: a stream that has to start over, unless history was lost', () => {
  const heard = [...events, heardOf('reset', '')]
  expect(check(heard)).toEqual(['P5'])
  expect(check(heard, [LOSS])).toEqual([])
})
