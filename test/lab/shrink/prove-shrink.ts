// Looks for a smaller plan that still breaks a promise which the given one breaks, for half an hour at most.
import { writeFile } from 'node:fs/promises'
import { join, relative } from 'node:path'
import { parseArgs } from 'node:util'
import { chosenPlan, PLAN_OPTIONS } from '../../proof/command.ts'
import { proveOnce, RESULTS } from '../../proof/outcome.ts'
import type { Plan } from '../../proof/plan.ts'
import { describe, shrink } from './shrink.ts'

const { values } = parseArgs({ options: PLAN_OPTIONS })

await shrinkPlan(await chosenPlan(values))

// Whatever a failed run left open must not keep this process alive.
process.exit()

async function shrinkPlan(plan: Plan): Promise<void> {
  const folder = join(RESULTS, `${plan.seed}-shrink`)
  const brokenBy = async (candidate: Plan) => {
    const { findings } = await proveOnce({ plan: candidate, folder, build: values.build, command: '' })
    return new Set(findings.map(({ promise }) => promise))
  }
  const wanted = await brokenBy(plan)
  if (wanted.size === 0) return console.log('all promises hold: run it again, or with --times first')
  console.log(`breaks ${[...wanted].join(', ')}: ${describe(plan)}`)
  const fails = async (candidate: Plan) =>
    [...(await brokenBy(candidate))].some(promise => wanted.has(promise))
  const small = await shrink(plan, { fails, say: line => console.log(`  ${line}`) })
  const file = relative(process.cwd(), join(RESULTS, `${plan.seed}-small.json`))
  await writeFile(file, JSON.stringify(small))
  console.log(`npm run prove -- --plan ${file} --times 20`)
}
