// Runs a plan against the built service and checks the promises. Exit code 0: they hold, 1: one is broken or a run failed,
// 2: inconclusive, because a fault had no effect or a checker had nothing to check. The first line of a run repeats it.
// README.md has examples.
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { chosenPlan, PLAN_OPTIONS, proveAloud, text } from './command.ts'
import { exitCodeOf, type Outcome, optionsOf, RESULTS } from './outcome.ts'
import type { Plan } from './plan.ts'

const { values } = parseArgs({
  options: {
    ...PLAN_OPTIONS,
    /** Runs the same plan several times. */
    times: { ...text, default: '1' },
    /** Only checks the files of an earlier run, in this folder. */
    again: text,
  },
})
const { build, again } = values

process.exitCode = exitCodeOf(
  again === undefined
    ? await proveTimes(await chosenPlan(values), Number(values.times))
    : [await checkAgain(again)],
)

// Whatever a failed run left open must not keep this process alive.
process.exit()

async function proveTimes(plan: Plan, times: number): Promise<Outcome[]> {
  const options =
    values.plan === undefined ? `--seed ${plan.seed} ${optionsOf(plan)}` : `--plan ${values.plan}`
  const outcomes: Outcome[] = []
  for (let i = 0; i < times; i++) {
    const folder = join(RESULTS, times > 1 ? `${plan.seed}-${i + 1}` : String(plan.seed))
    outcomes.push(await proveAloud({ plan, folder, build, command: `npm run prove -- ${options}` }))
  }
  const red = outcomes.filter(({ verdict }) => verdict === 'broken' || verdict === 'failed').length
  if (times > 1) console.log(`failed ${red} of ${times} times`)
  return outcomes
}

async function checkAgain(folder: string): Promise<Outcome> {
  const plan: Plan = JSON.parse(await readFile(join(folder, 'plan.json'), 'utf8'))
  return proveAloud({ plan, folder, build, command: `npm run prove -- --again ${folder}`, again: true })
}
