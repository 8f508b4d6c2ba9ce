// Plans are data that a seed determines.
import { expect, test } from 'vitest'
import { losesHistory } from './faults.ts'
import { makePlan, QUICK } from './plan.ts'
import { FAULT_KINDS } from './random-faults.ts'

test('a seed always gives the same plan, and another seed another one', () => {
  expect(makePlan(7)).toEqual(makePlan(7))
  expect(makePlan(8).posts).not.toEqual(makePlan(7).posts)
})

test('every kind of fault is in a quick plan, one after another', () => {
  for (let seed = 0; seed < 20; seed++) {
    const { nemesis, heal_at } = makePlan(seed)
    expect(new Set(nemesis.map(({ kind }) => kind))).toEqual(new Set(FAULT_KINDS))
    for (const [i, { at, lasts }] of nemesis.entries())
      expect(at + lasts).toBeLessThanOrEqual(nemesis[i + 1]?.at ?? heal_at)
  }
})

test('a plan with more faults draws from all kinds that need nothing of the machine, such as a kill in the middle of a webhook', () => {
  const plans = (['postgres', 'redis', 'cluster'] as const).flatMap(bus =>
    Array.from({ length: 60 }, (_, seed) => makePlan(seed, { ...QUICK, bus, faults: 8 }).nemesis),
  )
  const kinds = new Set(plans.flat().map(({ kind }) => kind))
  const more = [
    'backlog',
    'clock',
    'connections',
    'ended key',
    'failover',
    'locked row',
    'neighbour',
    'postgres',
  ]
  expect([...kinds].sort()).toEqual(
    [...FAULT_KINDS, ...more, 'receivers', 'redis', 'restore', 'stop', 'viewers'].sort(),
  )
  expect(plans.flat().some(fault => fault.kind === 'kill' && fault.after)).toBe(true)
})

test('nothing follows a fault that loses history', () => {
  for (let seed = 0; seed < 60; seed++) {
    const { nemesis } = makePlan(seed, { ...QUICK, faults: 6 })
    expect(nemesis.slice(0, -1).filter(losesHistory)).toEqual([])
  }
})

test('no two operations of a plan have one id', () => {
  const ids = makePlan(7).posts.flatMap(({ during, resume }) => [...during, ...resume].map(({ id }) => id))
  expect(new Set(ids).size).toBe(ids.length)
})

test('every third seed ends with a phase in which one instance heals and the others stay broken', () => {
  for (const seed of [3, 6, 9]) {
    const { liveness, instances } = makePlan(seed, { ...QUICK, instances: 3, bus: 'redis' })
    const core = liveness?.core ?? -1
    expect(liveness?.broken).toHaveLength(instances)
    for (const fault of liveness?.broken ?? [])
      if ('instance' in fault && fault.instance === core)
        expect(fault).toMatchObject({ kind: 'partition', link: 'redis' })
    expect(new Set(liveness?.posts.flat().map(({ instance }) => instance))).toEqual(new Set([core]))
  }
  expect(makePlan(4).liveness).toBeUndefined()
})
