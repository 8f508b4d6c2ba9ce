// The defects that the proof has found stay mended. prove-seeds.ts shows that each seed fails when its fix is undone.
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { check } from '../../proof/check/check.ts'
import { run } from '../../proof/run.ts'
import { readSeeds } from './seeds.ts'

const root = fileURLToPath(new URL('../../..', import.meta.url))
const seeds = await readSeeds()

test.each(seeds)('$promise: $title (seed $number)', async ({ number, plan }) => {
  const folder = join(root, 'test-results/proof', `seed-${number}`)
  await run({ plan, folder, build: root })
  const { findings, missing, counts } = await check(folder)
  expect({ findings, missing }).toEqual({ findings: [], missing: [] })
  expect(counts.turns).toBeGreaterThan(0)
})
