// The search for a small plan that still fails, with runs that only look at the plan.
import { expect, test } from 'vitest'
import { makePlan, type Plan, QUICK } from '../../proof/plan.ts'
import { shrink } from './shrink.ts'

const idsOf = ({ posts }: Plan) =>
  posts.flatMap(({ during, resume }) => [...during, ...resume]).map(({ id }) => id)

test('only what the failure needs is left: two operations, one fault, its instance and no viewer', async () => {
  const plan = makePlan(4, { ...QUICK, instances: 3 })
  const [first, second] = [plan.posts[1]?.during[7]?.id ?? '', plan.posts[1]?.during[40]?.id ?? '']
  const small = await shrink(plan, {
    fails: async candidate => {
      const ids = idsOf(candidate)
      return (
        ids.includes(first) && ids.includes(second) && candidate.nemesis.some(({ kind }) => kind === 'pause')
      )
    },
  })
  expect(idsOf(small)).toEqual([first, second])
  expect(small.nemesis.map(({ kind }) => kind)).toEqual(['pause'])
  expect(small).toMatchObject({ posters: 1, viewers: 0, steps: 2, faults: 1 })
  const [pause] = small.nemesis
  expect(small.instances).toBe(pause && 'instance' in pause ? pause.instance + 1 : 0)
})

test('a candidate that fails once in five runs counts, and one that never fails does not', async () => {
  let runs = 0
  const plan = makePlan(4)
  const fails = async ({ instances }: Plan) => ++runs % 5 === 0 && instances === 2
  const small = await shrink(plan, { fails })
  expect(small).toMatchObject({ instances: 2, posters: 1, steps: 0, nemesis: [], watches: [] })
})

test('a plan with a liveness phase loses it, unless the failure needs it', async () => {
  const plan = makePlan(3)
  expect(plan.liveness).toBeDefined()
  expect((await shrink(plan, { fails: async () => true })).liveness).toBeUndefined()
  const needs = async ({ liveness }: Plan) => liveness?.broken.length === 1
  expect((await shrink(plan, { fails: needs })).liveness?.broken).toHaveLength(1)
})

test('the search ends after half an hour with the smallest plan so far', async () => {
  let minutes = 0
  const run = async ({ nemesis }: Plan) => {
    minutes += 5
    return nemesis.length > 0
  }
  const small = await shrink(makePlan(4), { fails: run, clock: () => minutes * 60_000 })
  expect(minutes).toBe(30)
  expect(small.nemesis.length).toBeGreaterThan(0)
  expect(small.nemesis.length).toBeLessThan(4)
})
