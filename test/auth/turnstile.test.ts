import { describe, expect, test } from 'vitest'
import { createTurnstile, type Ticket } from '../../server/turnstile.ts'

/** A turnstile whose jobs run until the test finishes them. `started`: their names, in order. */
function setUp(limits: Partial<Parameters<typeof createTurnstile>[0]> = {}) {
  const pass = createTurnstile({ at_once: 2, waiting_max: 100, queue_max: 100, ...limits })
  const started: string[] = []
  const finishers = new Map<string, () => void>()
  const enter = (name: string, turn: Partial<Ticket> = {}) =>
    pass({ kind: 'urgent', from: 'anyone', ...turn }, () => {
      started.push(name)
      return new Promise<string>(resolve => finishers.set(name, () => resolve(name)))
    })
  /** Resolves when every job that can start has started. */
  const settle = () => new Promise(resolve => setImmediate(resolve))
  const finish = async (name: string) => {
    await settle()
    finishers.get(name)?.()
    await settle()
  }
  return { pass, started, enter, finish, settle }
}

const other = { kind: 'other' } as const
const names = (count: number, name: string) => Array.from({ length: count }, (_, i) => `${name} ${i}`)

describe('a turnstile', () => {
  test('a turnstile runs at most the allowed jobs at once, and the others in order', async () => {
    const { started, enter, finish, settle } = setUp()
    const results = names(4, 'work').map(name => enter(name))
    await settle()
    expect(started).toEqual(['work 0', 'work 1'])
    await finish('work 1')
    expect(started).toEqual(['work 0', 'work 1', 'work 2'])
    for (const i of [0, 2, 3]) await finish(`work ${i}`)
    expect(await Promise.all(results)).toEqual(names(4, 'work'))
  })

  test('a turnstile returns 503 at once if too many jobs wait, in total or in one queue', async () => {
    const { started, enter, finish } = setUp({ waiting_max: 3, queue_max: 2 })
    for (const name of ['a', 'b', 'c', 'd']) void enter(name)
    await expect(enter('too many in this queue')).rejects.toMatchObject({ status: 503 })
    void enter('e', { from: 'someone else' })
    await expect(enter('too many', { from: 'a third' })).rejects.toMatchObject({ status: 503 })
    await finish('a')
    void enter('f', { from: 'a third' })
    for (const name of ['b', 'c', 'd', 'e']) await finish(name)
    expect(started).toContain('f')
  })

  test('a turnstile gives the slot of a failed job to the next', async () => {
    const { pass, enter, started } = setUp({ at_once: 1 })
    const turn = { kind: 'urgent', from: 'anyone' } as const
    const failed = pass(turn, () => Promise.reject(new Error('no')))
    void enter('next')
    await expect(failed).rejects.toThrow('no')
    await expect.poll(() => started).toEqual(['next'])
  })
})

describe('an urgent job', () => {
  test('an urgent job finds a free slot while a hundred others wait', async () => {
    const { started, enter, settle } = setUp()
    for (const name of names(101, 'other')) void enter(name, other)
    await settle()
    expect(started).toEqual(['other 0'])
    void enter('urgent')
    await settle()
    expect(started).toEqual(['other 0', 'urgent'])
  })

  test('an urgent job goes before all waiting others, and they never take the last slot', async () => {
    const { started, enter, finish } = setUp()
    for (const name of names(3, 'other')) void enter(name, other)
    for (const name of names(3, 'urgent')) void enter(name)
    await finish('other 0')
    for (const name of names(3, 'urgent')) await finish(name)
    await finish('other 1')
    expect(started).toEqual(['other 0', 'urgent 0', 'urgent 1', 'urgent 2', 'other 1', 'other 2'])
  })

  test('an urgent job may wait even if the others’ queue is full', async () => {
    const { started, enter, finish } = setUp({ waiting_max: 1 })
    for (const name of names(2, 'other')) void enter(name, other)
    await expect(enter('other 2', other)).rejects.toMatchObject({ status: 503 })
    for (const name of names(2, 'urgent')) void enter(name)
    await finish('urgent 0')
    expect(started).toEqual(['other 0', 'urgent 0', 'urgent 1'])
  })
})

test('a limit for each lets the others in before a long queue', async () => {
  const { started, enter, finish, settle } = setUp({ at_once: 4, each_at_once: 2 })
  for (const name of names(10, 'flood')) void enter(name, { from: 'a flood' })
  void enter('ann', { from: 'ann' })
  await settle()
  expect(started).toEqual(['flood 0', 'flood 1', 'ann'])
  await finish('ann')
  expect(started).toHaveLength(3)
  await finish('flood 0')
  expect(started.slice(3)).toEqual(['flood 2'])
})

test('queues are served in turn, so a long one delays nobody else', async () => {
  const { started, enter, finish } = setUp({ at_once: 1 })
  for (const name of names(50, 'flood')) void enter(name, { from: 'a flood' })
  void enter('ann', { from: 'ann' })
  void enter('bob', { from: 'bob' })
  for (const name of ['flood 0', 'flood 1', 'ann', 'bob', 'flood 2']) await finish(name)
  expect(started).toEqual(['flood 0', 'flood 1', 'ann', 'bob', 'flood 2', 'flood 3'])
})
