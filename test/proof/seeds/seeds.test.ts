// The defects that the proof has found stay mended. Each seed has a patch that undoes its fix: seeds/undo.ts shows that the
// seed fails with it.
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { patched } from '../../support/source-patch.ts'
import { check } from '../check/check.ts'
import { run } from '../run.ts'
import { readSeeds } from './seeds.ts'

const here = dirname(fileURLToPath(import.meta.url))
const root = join(here, '../../..')
const seeds = await readSeeds()
const chosen = seeds.filter(({ quick }) => quick || process.env.PROOF_SEEDS === 'all')

test.each(chosen.map(seed => [seed.promise, seed.number, seed.title, seed] as const))(
  '%s seed %s: %s',
  async (_promise, number, _title, { plan }) => {
    const folder = join(root, 'test-results/proof', `seed-${number}`)
    await run({ plan, folder, build: root })
    const { findings, missing, counts } = await check(folder)
    expect({ findings, missing }).toEqual({ findings: [], missing: [] })
    expect(counts.turns).toBeGreaterThan(0)
  },
)

test.each(seeds)('the patch that undoes the fix of seed $number applies', async ({ number }) => {
  await patched(join(here, `${number}.patch`), root)
})
