// P5 and P6: what an event stream hears.
import { expect, test } from 'vitest'
import type { Heard } from '../load/streams.ts'
import type { Mark, StoredDelivery } from '../run.ts'
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

test('P5 and P6: an event that comes twice, or a last one that is missing, is a finding', () => {
  expect(check([...events.slice(0, 1), ...events])).toContain('P5')
  expect(check(events.slice(0, -1))).toEqual(['P6'])
})

test('P5: a stream that has to start over, unless history was lost, is a finding', () => {
  const heard = [...events, heardOf('reset', '')]
  expect(check(heard)).toEqual(['P5'])
  expect(check(heard, [LOSS])).toEqual([])
})

const stored = (number: number): StoredDelivery => ({
  channel_id: CHANNEL,
  interaction_id: `i${number}`,
  number,
  trigger: null,
  delivery_id: null,
  place: null,
  status: null,
  sent: false,
  attempts: null,
  error: null,
})
const interaction = (number: number, interaction_id = `i${number}`) =>
  heardOf('interaction.created', `0.3.-1.${number}`, { interaction_id })

test('P5 and P6: an interaction that a stream skips, repeats, or never hears, is a finding', () => {
  const deliveries = [stored(1), stored(2), stored(3)]
  const check = (...numbers: number[]) =>
    promises(
      checkStreams(
        filesOf({
          turns: log,
          heard: [...events, ...numbers.map(n => interaction(n))],
          marks: [END],
          deliveries,
        }),
      ),
    )
  expect(check(1, 2, 3)).toEqual([])
  expect(check(1, 3)).toEqual(['P5'])
  expect(check(1, 2, 2, 3)).toEqual(['P5'])
  expect(check(1, 2)).toEqual(['P6'])
})
