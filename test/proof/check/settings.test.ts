// P1 and P2 for descriptions, attributes, header actions and channels.
import { expect, test } from 'vitest'
import type { Settings } from '../load/ending.ts'
import type { Tried } from '../load/posters.ts'
import { CHANNEL, filesOf, promises, triedOf, unknown } from './sample.ts'
import { checkSettings } from './settings.ts'

const head = (op: string, times: [number, number], status = 200) =>
  triedOf({ kind: 'head', op }, times, status, null)
const add = (op: string) => triedOf({ kind: 'add action', op }, [10, 20], 201, null)
const remove = (label: string) =>
  triedOf({ kind: 'remove action', op: 'remove', action_id: 'x', label }, [30, 40], 204, null)

function check(tried: Tried[], given: Partial<Settings>, channels: string[] = []) {
  const settings = { description: null, webhook_url: null, attributes: {}, action_labels: [], ...given }
  const names = channels.map(name => ({ kind: 'channel' as const, name }))
  const ending = [{ kind: 'settings' as const, channel_id: CHANNEL, settings }, ...names]
  return promises(checkSettings(filesOf({ tried, ending })))
}

test('the value of the last write, or of one that was under way with it, has no findings', () => {
  const writes = [head('one', [10, 20]), head('two', [15, 30])]
  expect(check(writes, { description: 'two' })).toEqual([])
  expect(check(writes, { description: 'one' })).toEqual([])
  expect(
    check([head('one', [10, 20]), unknown({ kind: 'head', op: 'two' }, [30, 40])], { description: 'two' }),
  ).toEqual([])
})

test('P1: a value that an acknowledged write replaced is a finding', () => {
  const writes = [head('one', [10, 20]), head('two', [25, 30])]
  expect(check(writes, { description: 'one' })).toEqual(['P1'])
  expect(check(writes, {})).toEqual(['P1'])
  const attribute = triedOf({ kind: 'attribute', op: 'one', name: 'team' }, [10, 20], 200, null)
  expect(check([attribute], {})).toEqual(['P1'])
  expect(check([attribute], { attributes: { team: 'one' } })).toEqual([])
})

test('P2: a value that was refused is a finding', () => {
  expect(check([head('one', [10, 20], 400)], { description: 'one' })).toEqual(['P2'])
})

test('a header action that is lost, there twice, or back after its removal is a finding', () => {
  expect(check([add('one')], { action_labels: ['one'] })).toEqual([])
  expect(check([add('one'), remove('one')], {})).toEqual([])
  expect(check([add('one')], {})).toEqual(['P1'])
  expect(check([add('one')], { action_labels: ['one', 'one'] })).toEqual(['P2'])
  expect(check([add('one'), remove('one')], { action_labels: ['one'] })).toEqual(['P1'])
})

test('P1: a channel that was created and is gone is a finding', () => {
  const create = triedOf({ kind: 'create channel', op: 'one' }, [10, 20], 201, null)
  expect(check([create], {}, ['one'])).toEqual([])
  expect(check([create], {})).toEqual(['P1'])
})
