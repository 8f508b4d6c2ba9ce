// Does the proof see anything? Each mutant must be caught within three quick runs, by the checker of the promise that it breaks.
// Arguments: names of mutants, all by default; `--check` only shows that their changes apply.
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { check } from '../../proof/check/check.ts'
import { makePlan, type Plan, QUICK } from '../../proof/plan.ts'
import { planWith } from '../../proof/plan-with.ts'
import { run } from '../../proof/run.ts'
import { buildMutant, checkChanges } from './build.ts'
import { COMMIT_MUTANTS } from './commits.ts'
import { LEASE_MUTANTS } from './leases.ts'
import type { Mutant, Mutants } from './mutant.ts'
import { READER_MUTANTS } from './readers.ts'
import { RIGHT_MUTANTS } from './rights.ts'
import { SIGNATURE_MUTANTS } from './signatures.ts'

const RUNS = 3
/** Posts go on after the fault began to end, because some wait for them. */
const MORE_MS = 10_000
const MUTANTS: Mutants = {
  ...COMMIT_MUTANTS,
  ...READER_MUTANTS,
  ...RIGHT_MUTANTS,
  ...SIGNATURE_MUTANTS,
  ...LEASE_MUTANTS,
}

const results = fileURLToPath(new URL('../../../test-results/proof', import.meta.url))
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { check: { type: 'boolean', default: false } },
})

for (const name of positionals.length > 0 ? positionals : Object.keys(MUTANTS)) {
  const mutant = MUTANTS[name]
  if (!mutant) throw new RangeError(`there is no mutant ${name}`)
  if (values.check) checkChanges(name, mutant.changes)
  else await catchMutant(name, mutant)
}

// Whatever a failed run left open must not keep this process alive.
process.exit()

async function catchMutant(name: string, mutant: Mutant): Promise<void> {
  const caught = await findBroken(name, mutant)
  console.log(caught ? `${name}: caught by ${caught}` : `${name}: NOT CAUGHT in ${RUNS} runs`)
  if (!caught) process.exitCode = 1
}

async function findBroken(name: string, mutant: Mutant): Promise<string | null> {
  const { checker, promise, changes } = mutant
  const build = await buildMutant(name, changes)
  for (let seed = 1; seed <= RUNS; seed++) {
    const folder = join(results, `${name}-${seed}`)
    // A mistake may keep a run from ending. Its files still tell.
    await run({ plan: planFor(mutant, seed), folder, build }).catch(error => console.log(`  ${error}`))
    const { findings } = await check(folder)
    console.log(`  ${name}, seed ${seed}: ${findings.length} findings`)
    const finding = findings.find(found => found.checker === checker && found.promise === promise)
    if (finding) return `${checker} (${promise}) with seed ${seed}: ${finding.message}`
  }
  return null
}

function planFor({ needs }: Mutant, seed: number): Plan {
  if (needs === undefined) return makePlan(seed)
  if (needs === 'large') return makePlan(seed, { ...QUICK, large: 1 })
  return planWith([{ fault: needs }], { seed, more_ms: MORE_MS })
}
