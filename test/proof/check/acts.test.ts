// P7: what is logged of an interaction.
import { expect, test } from 'vitest'
import { loggedAct } from '../model/acts.ts'
import { blocksOf, newContents } from '../model/cards.ts'
import { checkActs } from './acts.ts'
import { filesOf, history, log, promises, triedOf } from './sample.ts'

const request = {
  kind: 'interact' as const,
  op: 'act',
  interaction_id: 'i',
  act: 'click' as const,
  card_id: 'a',
}
const card = { position: 0, status: 'default' as const, key: null, ...newContents('one') }
const logged = (rows: string[]) => loggedAct(request, { ...card, rows })
const act = (body: unknown, status = 201) => triedOf(request, [50, 60], status, body)
const check = (...tried: ReturnType<typeof act>[]) =>
  promises(checkActs(filesOf({ turns: log, tried: [...history, ...tried] })))

test('a card as it was after some write, and the same answer again, have no findings', () => {
  expect(check(act(logged(['two'])))).toEqual([])
  expect(check(act(logged(['two'])), act(logged(['two']), 200))).toEqual([])
})

test('the log has all blocks of a large card', () => {
  const { card_state } = loggedAct(request, { ...card, ...newContents('one', { large: true }) })
  const ids = blocksOf(newContents('one', { large: true })).map(({ id }) => id)
  expect(card_state).toEqual(ids.map(id => expect.objectContaining({ id })))
})

test('P7: a card as it never was, another trigger, or a second answer that differs, is a finding', () => {
  expect(check(act(logged(['other'])))).toEqual(['P7'])
  expect(check(act({ ...logged(['two']), trigger: { type: 'reply', text: 'act' } }))).toEqual(['P7'])
  expect(check(act(logged(['two'])), act(logged([]), 200))).toEqual(['P7'])
})

test('P7: a card that is said to be gone, and never was, is a finding', () => {
  const missing = { error: 'Card not found' }
  expect(check(act(missing, 404))).toEqual([])
  expect(check(act({ error: 'Not found' }, 404))).toEqual(['P7'])
})
