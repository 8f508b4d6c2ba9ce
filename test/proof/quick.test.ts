// A new seed for every run of the tests. PROOF_SEED repeats one.
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { check } from './check/check.ts'
import { makePlan } from './plan.ts'
import { run } from './run.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))
const seed = Number(process.env.PROOF_SEED ?? Date.now() % 100_000)

test(`P1 to P8 hold under kills, pauses and partitions: npm run prove -- --seed ${seed}`, async () => {
  const folder = join(root, 'test-results/proof', String(seed))
  await run({ plan: makePlan(seed), folder, build: root })
  const { findings, missing, counts } = await check(folder)
  expect({ findings, missing }).toEqual({ findings: [], missing: [] })
  expect(counts.turns).toBeGreaterThan(100)
})
