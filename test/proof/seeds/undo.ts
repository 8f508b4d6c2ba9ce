// Each seed must fail when its fix is undone, by the promise that it names. Arguments: numbers of seeds; all by default.
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { check } from '../check/check.ts'
import { buildMutant } from '../mutants/build.ts'
import { run } from '../run.ts'
import { readSeeds } from './seeds.ts'

const here = dirname(fileURLToPath(import.meta.url))
const results = join(here, '../../../test-results/proof')
const wanted = process.argv.slice(2)

const seeds = await readSeeds()
const unknown = wanted.filter(name => seeds.every(({ number }) => number !== name))
if (unknown.length > 0) throw new RangeError(`there is no seed ${unknown.join(', ')}`)
for (const { number, promise, repeat, plan } of seeds) {
  if (wanted.length > 0 && !wanted.includes(number)) continue
  const build = await buildMutant({ name: `seed-${number}` }, join(here, `${number}.patch`))
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

// Whatever a failed run left open must not keep this process alive.
process.exit()
