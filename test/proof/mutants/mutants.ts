// Does the proof see anything? Each mutant must be caught within five quick runs, by the promise that it breaks.
// Arguments: names of mutants; all by default.
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { check } from '../check/check.ts'
import { makePlan } from '../plan.ts'
import { run } from '../run.ts'
import { buildMutant, listMutants, type Mutant } from './build.ts'

const RUNS = 5
const results = fileURLToPath(new URL('../../../test-results/proof', import.meta.url))
const wanted = process.argv.slice(2)

for (const mutant of await listMutants()) {
  if (wanted.length > 0 && !wanted.includes(mutant.name)) continue
  const caught = await findBroken(mutant)
  console.log(caught ? `${mutant.name}: caught by ${caught}` : `${mutant.name}: NOT CAUGHT in ${RUNS} runs`)
  if (!caught) process.exitCode = 1
}

async function findBroken(mutant: Mutant): Promise<string | null> {
  const build = await buildMutant(mutant)
  for (let seed = 1; seed <= RUNS; seed++) {
    const folder = join(results, `${mutant.name}-${seed}`)
    await run({ plan: makePlan(seed), folder, build })
    const { findings } = await check(folder)
    console.log(`  ${mutant.name}, seed ${seed}: ${findings.length} findings`)
    const finding = findings.find(({ promise }) => promise === mutant.promise)
    if (finding) return `${finding.promise} in run ${seed}: ${finding.message}`
  }
  return null
}
