// Runs plans against the built service and checks the promises. Exit code 0: they hold, 1: one is broken or a run failed,
// 2: inconclusive, because a fault had no effect or a checker had nothing to check. The first line of a run repeats it.
// test/proof/README.md has examples.
import { readFile, writeFile } from 'node:fs/promises'
import { join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import {
  combinationsOf,
  lackingFor,
  parseBus,
  parseChoices,
  parseDuration,
  parseVersion,
  runMatrix,
  tableOf,
} from './matrix.ts'
import {
  commitOf,
  exitCodeOf,
  keepOutcome,
  MATRIX,
  type Outcome,
  optionsOf,
  proveOnce,
  RESULTS,
  SOAK,
} from './outcome.ts'
import { LONG, makePlan, type Plan, QUICK, type Size } from './plan.ts'
import { writeReport } from './report.ts'
import { scale } from './scale/scale.ts'
import { describe, shrink } from './shrink.ts'
import { soak } from './soak/soak.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))

const text = { type: 'string' } as const
const flag = { type: 'boolean', default: false } as const
const { values } = parseArgs({
  options: {
    /** Of a matrix: the first one. */
    seed: { ...text, default: String(Date.now() % 100_000) },
    /** In a matrix, these three are lists: postgres,redis,cluster and 1,2,3 and 14,18. */
    bus: text,
    instances: text,
    pg: text,
    channels: text,
    large: text,
    cards: text,
    posters: text,
    viewers: text,
    steps: text,
    faults: text,
    /** The size of a run of ten minutes. */
    long: flag,
    /** A file with a plan, instead of a seed. */
    plan: text,
    /** Runs the same plan several times. */
    times: { ...text, default: '1' },
    matrix: flag,
    seeds: { ...text, default: '1' },
    /** Of a matrix: stops in time, for example 40m. */
    for: text,
    /** Looks for a smaller plan that still breaks the same promise, for half an hour at most. */
    shrink: flag,
    /** Writes the generated parts of docs/reliability.md. */
    report: flag,
    /** A folder with dist/, migrations/ and node_modules/. */
    build: { ...text, default: root },
    /** Only checks the files of an earlier run, in this folder. */
    again: text,
    /** Runs under a steady load for so long, such as 20m, 2h or 24h, and looks for what grows. */
    soak: text,
    /** Measures what more instances cost. With `quick`, only shows that it works. */
    scale: flag,
    quick: flag,
  },
})
const { build, again } = values
/** More faults than the kinds that every plan has, so that seeds differ in the rest. */
const MATRIX_SIZE: Size = { ...QUICK, large: 1, faults: 6 }
const say = (line: string) => console.log(`  ${line}`)

if (values.report) await writeReport(join(root, 'docs/reliability.md'))
else if (values.matrix) process.exitCode = await proveMatrix()
else if (values.shrink) await shrinkPlan(await givenPlan())
else if (values.soak !== undefined) process.exitCode = await proveSoak(values.soak)
else if (values.scale) await measureScale()
else if (again !== undefined) process.exitCode = await checkAgain(again)
else process.exitCode = await proveTimes(await givenPlan(), Number(values.times))

// Whatever a failed run left open must not keep this process alive.
process.exit()

async function givenPlan(): Promise<Plan> {
  if (values.plan === undefined) return makePlan(Number(values.seed), sizeOf(values.long ? LONG : QUICK))
  // A seed's file has the plan beside its title and promise.
  const given = JSON.parse(await readFile(values.plan, 'utf8'))
  return given.plan ?? given
}

function sizeOf(defaults: Size): Size {
  return {
    ...numbersOf(defaults),
    instances: Number(values.instances ?? defaults.instances),
    bus: parseBus(values.bus ?? defaults.bus),
    pg: parseVersion(values.pg ?? String(defaults.pg)),
  }
}

/** What a matrix doesn't vary. */
function numbersOf(defaults: Size) {
  const number = (name: 'channels' | 'large' | 'cards' | 'posters' | 'viewers' | 'steps' | 'faults') =>
    Number(values[name] ?? defaults[name])
  return {
    channels: number('channels'),
    large: number('large'),
    cards: number('cards'),
    posters: number('posters'),
    viewers: number('viewers'),
    steps: number('steps'),
    faults: number('faults'),
  }
}

async function proveTimes(plan: Plan, times: number): Promise<0 | 1 | 2> {
  const command =
    values.plan === undefined ? `--seed ${plan.seed} ${optionsOf(plan)}` : `--plan ${values.plan}`
  const outcomes: Outcome[] = []
  for (let i = 0; i < times; i++) {
    const folder = join(RESULTS, times > 1 ? `${plan.seed}-${i + 1}` : String(plan.seed))
    outcomes.push(await prove(plan, folder, `npm run prove -- ${command}`))
  }
  const red = outcomes.filter(({ verdict }) => verdict === 'broken' || verdict === 'failed').length
  if (times > 1) console.log(`failed ${red} of ${times} times`)
  return exitCodeOf(outcomes)
}

async function checkAgain(folder: string): Promise<0 | 1 | 2> {
  const plan: Plan = JSON.parse(await readFile(join(folder, 'plan.json'), 'utf8'))
  return exitCodeOf([await prove(plan, folder, `npm run prove -- --again ${folder}`)])
}

async function prove(plan: Plan, folder: string, command: string): Promise<Outcome> {
  console.log(command)
  const outcome = await proveOnce({ plan, folder, build, command, again: again !== undefined, say })
  say(`commit ${outcome.commit}, ${outcome.seconds} s`)
  for (const { promise, message } of outcome.findings) console.log(`BROKEN ${promise}: ${message}`)
  for (const reason of outcome.missing) console.log(`INCONCLUSIVE: ${reason}`)
  console.log(
    outcome.verdict === 'holds' ? 'all promises hold' : `${outcome.verdict}: the files are in ${folder}`,
  )
  return outcome
}

async function proveMatrix(): Promise<0 | 1 | 2> {
  const first = Number(values.seed)
  const seeds = Array.from({ length: Number(values.seeds) }, (_, i) => first + i)
  const { bus = 'postgres,redis,cluster', instances = '1,2,3', pg = '14,18' } = values
  const choices = parseChoices({ bus, instances, pg }, seeds)
  const lacking = await lackingFor(choices)
  if (lacking.length > 0) {
    console.log(`${lacking.join(', and ')}: choose other values of --pg or --bus`)
    return 2
  }
  const combinations = combinationsOf(choices)
  const outcomes = await runMatrix(combinations, {
    ...(values.for !== undefined && { limit_ms: parseDuration(values.for) }),
    async prove({ seed, ...chosen }) {
      const plan = makePlan(seed, {
        ...numbersOf(values.long ? LONG : MATRIX_SIZE),
        ...chosen,
      })
      const folder = join(RESULTS, `${seed}-${chosen.instances}-${chosen.bus}-${chosen.pg}`)
      const outcome = await prove(plan, folder, `npm run prove -- --seed ${seed} ${optionsOf(plan)}`)
      await keepOutcome(MATRIX, outcome)
      return outcome
    },
  })
  console.log(`\n${tableOf(outcomes)}\n${outcomes.length} of ${combinations.length} runs`)
  for (const { verdict, command } of outcomes) if (verdict !== 'holds') console.log(`${verdict}: ${command}`)
  return exitCodeOf(outcomes)
}

async function shrinkPlan(plan: Plan): Promise<void> {
  const folder = join(RESULTS, `${plan.seed}-shrink`)
  const brokenBy = async (candidate: Plan) => {
    const { findings } = await proveOnce({ plan: candidate, folder, build, command: '' })
    return new Set(findings.map(({ promise }) => promise))
  }
  const wanted = await brokenBy(plan)
  if (wanted.size === 0) return console.log('all promises hold: run it again, or with --times first')
  console.log(`breaks ${[...wanted].join(', ')}: ${describe(plan)}`)
  const fails = async (candidate: Plan) =>
    [...(await brokenBy(candidate))].some(promise => wanted.has(promise))
  const small = await shrink(plan, { fails, say })
  const file = relative(process.cwd(), join(RESULTS, `${plan.seed}-small.json`))
  await writeFile(file, JSON.stringify(small))
  console.log(`npm run prove -- --plan ${file} --times 20`)
}

function proveSoak(duration: string): Promise<number> {
  console.log(`npm run prove -- --soak ${duration}  # commit ${commitOf()}`)
  return soak({ duration, folder: again ?? SOAK, build, again: again !== undefined })
}

function measureScale(): Promise<void> {
  const { quick } = values
  console.log(`npm run prove -- --scale${quick ? ' --quick' : ''}  # commit ${commitOf()}`)
  return scale({ folder: join(RESULTS, 'scale'), build, quick })
}
