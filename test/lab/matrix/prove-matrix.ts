// Many runs, one after another, with a line each in matrix.jsonl. Exit code as that of `npm run prove`.
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { numbersOf, PLAN_OPTIONS, proveAloud, text } from '../../proof/command.ts'
import { exitCodeOf, type Outcome, optionsOf, RESULTS } from '../../proof/outcome.ts'
import { LONG, makePlan, QUICK, type Size } from '../../proof/plan.ts'
import { parseDuration } from '../duration.ts'
import { keepOutcome, MATRIX } from '../results.ts'
import { combinationsOf, lackingFor, parseChoices, runMatrix, tableOf } from './matrix.ts'

/** More faults than the kinds that every plan has, so that seeds differ in the rest. */
const MATRIX_SIZE: Size = { ...QUICK, large: 1, faults: 6 }

const { values } = parseArgs({
  options: {
    /** The first seed is `seed`. */
    ...PLAN_OPTIONS,
    /** Lists. */
    bus: { ...text, default: 'postgres,redis,cluster' },
    instances: { ...text, default: '1,2,3' },
    pg: { ...text, default: '14,18' },
    seeds: { ...text, default: '1' },
    /** Stops in time, for example 40m. */
    for: text,
  },
})

process.exitCode = await proveMatrix()

// Whatever a failed run left open must not keep this process alive.
process.exit()

async function proveMatrix(): Promise<0 | 1 | 2> {
  const { build, bus, instances, pg } = values
  const first = Number(values.seed)
  const seeds = Array.from({ length: Number(values.seeds) }, (_, i) => first + i)
  const choices = parseChoices({ bus, instances, pg }, seeds)
  const lacking = await lackingFor(choices)
  if (lacking.length > 0) {
    console.log(`${lacking.join(', and ')}: choose other values of --pg or --bus`)
    return 2
  }
  const numbers = numbersOf(values, values.long ? LONG : MATRIX_SIZE)
  const combinations = combinationsOf(choices)
  const outcomes = await runMatrix(combinations, {
    limit_ms: values.for === undefined ? Infinity : parseDuration(values.for),
    async prove({ seed, ...chosen }): Promise<Outcome> {
      const plan = makePlan(seed, { ...numbers, ...chosen })
      const folder = join(RESULTS, `${seed}-${chosen.instances}-${chosen.bus}-${chosen.pg}`)
      const command = `npm run prove -- --seed ${seed} ${optionsOf(plan)}`
      const outcome = await proveAloud({ plan, folder, build, command })
      await keepOutcome(MATRIX, outcome)
      return outcome
    },
  })
  console.log(`\n${tableOf(outcomes)}\n${outcomes.length} of ${combinations.length} runs`)
  for (const { verdict, command } of outcomes) if (verdict !== 'holds') console.log(`${verdict}: ${command}`)
  return exitCodeOf(outcomes)
}
