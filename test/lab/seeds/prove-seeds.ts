// Each seed must fail when its fix is undone, by the promise that it names. Arguments: numbers of seeds, all by default;
// `--check` only shows that the fixes can be undone.
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { check } from '../../proof/check/check.ts'
import { run } from '../../proof/run.ts'
import { buildMutant, checkChanges } from '../mutants/build.ts'
import { readSeeds, type Seed } from './seeds.ts'

const results = fileURLToPath(new URL('../../../test-results/proof', import.meta.url))
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { check: { type: 'boolean', default: false } },
})

const seeds = new Map((await readSeeds()).map(seed => [seed.number, seed]))
for (const number of positionals.length > 0 ? positionals : seeds.keys()) {
  const seed = seeds.get(number)
  if (!seed) throw new RangeError(`there is no seed ${number}`)
  if (values.check) checkChanges(`seed ${number}`, seed.undo)
  else await failWithoutFix(seed)
}

// Whatever a failed run left open must not keep this process alive.
process.exit()

async function failWithoutFix({ number, promise, repeat, plan, undo }: Seed): Promise<void> {
  const build = await buildMutant(`seed-${number}`, undo)
  let caught: string | undefined
  for (let tries = 1; tries <= repeat && !caught; tries++) {
    const folder = join(results, `seed-${number}-undone`)
    await run({ plan, folder, build, say: line => console.log(`  ${line}`) })
    const { findings, missing } = await check(folder)
    for (const reason of missing) console.log(`  INCONCLUSIVE: ${reason}`)
    caught = findings.find(finding => finding.promise === promise)?.message
  }
  console.log(caught ? `seed ${number}: fails, ${promise}: ${caught}` : `seed ${number}: DOES NOT FAIL`)
  if (!caught) process.exitCode = 1
}
