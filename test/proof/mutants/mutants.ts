// Does the proof see anything? Each mutant must be caught within three quick runs, by the checker of the promise that it breaks.
// Arguments: names of mutants; all by default.
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { check } from '../check/check.ts'
import type { FaultKind } from '../faults.ts'
import { makePlan, type Plan, QUICK } from '../plan.ts'
import { planWith } from '../plan-with.ts'
import { run } from '../run.ts'
import { buildMutant, listMutants, type Mutant } from './build.ts'

const RUNS = 3
/** Faults that random plans don't have. */
const NEEDED: Record<string, FaultKind> = {
  backlog: { kind: 'backlog', instance: 0 },
  failover: { kind: 'failover', synchronous: false },
  neighbour: { kind: 'neighbour', instance: 0 },
  stop: { kind: 'stop', instance: 0, channel: 0 },
}
/** Posts go on after the fault began to end, because some wait for them. */
const MORE_MS = 10_000

const results = fileURLToPath(new URL('../../../test-results/proof', import.meta.url))
const wanted = process.argv.slice(2)

const mutants = await listMutants()
const unknown = wanted.filter(name => mutants.every(mutant => mutant.name !== name))
if (unknown.length > 0) throw new RangeError(`there is no mutant ${unknown.join(', ')}`)
for (const mutant of mutants) {
  if (wanted.length > 0 && !wanted.includes(mutant.name)) continue
  const caught = await findBroken(mutant)
  console.log(caught ? `${mutant.name}: caught by ${caught}` : `${mutant.name}: NOT CAUGHT in ${RUNS} runs`)
  if (!caught) process.exitCode = 1
}

// Whatever a failed run left open must not keep this process alive.
process.exit()

async function findBroken(mutant: Mutant): Promise<string | null> {
  const build = await buildMutant(mutant)
  for (let seed = 1; seed <= RUNS; seed++) {
    const folder = join(results, `${mutant.name}-${seed}`)
    // A mistake may keep a run from ending. Its files still tell.
    await run({ plan: planFor(mutant, seed), folder, build }).catch(error => console.log(`  ${error}`))
    const { findings } = await check(folder)
    console.log(`  ${mutant.name}, seed ${seed}: ${findings.length} findings`)
    const { checker, promise } = mutant
    const finding = findings.find(found => found.checker === checker && found.promise === promise)
    if (finding) return `${checker} (${promise}) with seed ${seed}: ${finding.message}`
  }
  return null
}

function planFor({ needs }: Mutant, seed: number): Plan {
  if (needs === null) return makePlan(seed)
  if (needs === 'large') return makePlan(seed, { ...QUICK, large: 1 })
  const fault = NEEDED[needs]
  if (!fault) throw new RangeError(`no fault ${needs}`)
  return planWith([{ fault }], { seed, more_ms: MORE_MS })
}
