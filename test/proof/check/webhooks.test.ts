// P7 and P8: interactions and their deliveries.
import { expect, test } from 'vitest'
import type { Delivered } from '../load/receiver.ts'
import type { Press } from '../model/questions.ts'
import type { Mark, StoredDelivery } from '../run.ts'
import { CHANNEL, DELIVERED, filesOf, promises, triedOf } from './sample.ts'
import { checkWebhooks } from './webhooks.ts'

const trigger = { type: 'reply', text: 'one' }
const interaction = {
  interaction_id: 'i',
  channel_id: CHANNEL,
  card_id: null,
  timestamp: '2026-01-31T12:00:00.000Z',
  trigger,
  card_state: null,
}
const act = triedOf(
  { kind: 'interact', op: 'one', interaction_id: 'i', act: 'reply' },
  [10, 20],
  201,
  interaction,
)
const redeliver = triedOf({ kind: 'redeliver', op: 'again', interaction_id: 'i' }, [30, 40], 202, {})
const stored = { ...DELIVERED, trigger }
const received: Delivered = {
  at: 25,
  webhook_id: 'i',
  path: '/0',
  body: JSON.stringify(interaction),
  complete: true,
}
const ENDED: Mark[] = [{ at: 100, kind: 'phase', phase: 'end' }]
const check = (deliveries: StoredDelivery[], delivered: Delivered[], tried = [act]) =>
  promises(checkWebhooks(filesOf({ tried, deliveries, delivered, marks: ENDED })))

test('a delivery that is received once, and once more if that was asked for, has no findings', () => {
  expect(check([stored], [received])).toEqual([])
  const again = { ...stored, delivery_id: 'e', place: 2, attempts: 2 }
  expect(check([stored, again], [received, { ...received, at: 45 }], [act, redeliver])).toEqual([])
})

test('P7: an interaction that the log lacks, or has with another body, is a finding', () => {
  expect(check([], [])).toEqual(['P7'])
  expect(check([{ ...stored, trigger: { ...trigger, text: 'two' } }], [received])).toEqual(['P7'])
})

test('P8: the body of a decision may name the address of the instance that sends it, and nothing else may change', () => {
  const press: Press = {
    kind: 'press',
    op: 'one',
    interaction_id: 'i',
    card_id: 'a',
    decision_id: 'd',
    button: 'yes',
    by: 'anonymous',
    timestamp: interaction.timestamp,
  }
  const clicked = { type: 'button_click', button_id: 'yes' }
  const rows = [stored, { ...stored, place: 2, attempts: 2 }].map(row => ({ ...row, trigger: clicked }))
  const body = (port: number, card_id: string | null) =>
    JSON.stringify({ ...interaction, decision: { card_id, url: `http://localhost:${port}/c/channel` } })
  const checkBodies = (...bodies: string[]) =>
    check(
      rows,
      bodies.map(one => ({ ...received, body: one })),
      [triedOf(press, [10, 20], 201, {}), redeliver],
    )
  expect(checkBodies(body(4001, 'a'), body(4002, 'a'))).toEqual([])
  expect(checkBodies(body(4001, 'a'), body(4001, null))).toEqual(['P8'])
})

test('P8: a delivery that is sent twice, without a mark or with another body, or succeeds without a request, is a finding', () => {
  expect(check([stored, { ...stored, place: 2 }], [received, received])).toEqual(['P8'])
  expect(check([{ ...stored, sent: false }], [received])).toEqual(['P8'])
  expect(check([stored], [{ ...received, body: '{}' }])).toEqual(['P8'])
  expect(check([stored], [])).toEqual(['P8'])
  expect(check([{ ...stored, status: 'failed' }], [received])).toEqual(['P8'])
})

test('P8: a later interaction that is received first is a finding', () => {
  const second = triedOf({ kind: 'interact', op: 'two', interaction_id: 'j', act: 'reply' }, [21, 22], 201, {
    ...interaction,
    interaction_id: 'j',
    trigger: { ...trigger, text: 'two' },
  })
  const text = { ...trigger, text: 'two' }
  const body = JSON.stringify({ ...interaction, interaction_id: 'j', trigger: text })
  const other = { ...stored, interaction_id: 'j', number: 2, delivery_id: 'f', place: 2, trigger: text }
  const early = { ...received, webhook_id: 'j', at: 24, body }
  expect(check([stored, other], [received, { ...early, at: 26 }], [act, second])).toEqual([])
  expect(check([stored, other], [received, early], [act, second])).toEqual(['P8'])
})

test('P8: a delivery that still waits at the end, or never did, is a finding', () => {
  expect(check([{ ...stored, status: 'pending', sent: false }], [])).toEqual(['P8'])
  expect(check([{ ...stored, status: 'sending', sent: true }], [])).toEqual(['P8'])
  const none = { delivery_id: null, place: null, status: null, sent: false, attempts: null }
  expect(check([{ ...stored, ...none }], [])).toEqual(['P8'])
})
