// Plans are data that a seed determines.
import { expect, test } from 'vitest'
import { FAULT_KINDS, makePlan } from './plan.ts'

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

test('no two operations of a plan have one id', () => {
  const ids = makePlan(7).posts.flatMap(({ during, resume }) => [...during, ...resume].map(({ id }) => id))
  expect(new Set(ids).size).toBe(ids.length)
})
