// Runs a plan against the built service and checks the promises. Exit code 0: they hold, 1: one is broken, 2: the run
// is inconclusive, because a fault had no effect. The first line repeats the run.
import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { check } from './check/check.ts'
import { makePlan, QUICK, type Size } from './plan.ts'
import { run } from './run.ts'
import { scale } from './scale/scale.ts'
import { soak } from './soak/soak.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))

const { values } = parseArgs({
  options: {
    seed: { type: 'string', default: String(Date.now() % 100_000) },
    bus: { type: 'string', default: QUICK.bus },
    instances: { type: 'string', default: String(QUICK.instances) },
    channels: { type: 'string', default: String(QUICK.channels) },
    cards: { type: 'string', default: String(QUICK.cards) },
    posters: { type: 'string', default: String(QUICK.posters) },
    viewers: { type: 'string', default: String(QUICK.viewers) },
    steps: { type: 'string', default: String(QUICK.steps) },
    faults: { type: 'string', default: String(QUICK.faults) },
    /** A folder with dist/, migrations/ and node_modules/. */
    build: { type: 'string', default: root },
    /** Only checks the files of an earlier run. */
    again: { type: 'boolean', default: false },
    /** Runs under a steady load for so long, such as 20m, 2h or 24h, and looks for what grows. */
    soak: { type: 'string' },
    /** Measures what more instances cost. With `quick`, only shows that it works. */
    scale: { type: 'boolean', default: false },
    quick: { type: 'boolean', default: false },
  },
})

const commit = execFileSync('git', ['describe', '--always', '--dirty'], {
  cwd: root,
  encoding: 'utf8',
}).trim()

if (values.soak !== undefined) {
  const [duration, folder] = [values.soak, join(root, 'test-results/proof/soak')]
  console.log(`npm run prove -- --soak ${duration}  # commit ${commit}`)
  process.exit(await soak({ duration, folder, build: values.build, again: values.again }))
}
if (values.scale) {
  console.log(`npm run prove -- --scale${values.quick ? ' --quick' : ''}  # commit ${commit}`)
  await scale({ folder: join(root, 'test-results/proof/scale'), build: values.build, quick: values.quick })
  process.exit()
}

const { seed, build, again, bus, ...numbers } = values
const size: Size = {
  bus: bus === 'redis' ? 'redis' : 'postgres',
  instances: Number(numbers.instances),
  channels: Number(numbers.channels),
  cards: Number(numbers.cards),
  posters: Number(numbers.posters),
  viewers: Number(numbers.viewers),
  steps: Number(numbers.steps),
  faults: Number(numbers.faults),
}
const plan = makePlan(Number(seed), size)
const folder = join(root, 'test-results/proof', seed)
const options = Object.entries(size).map(([name, value]) => `--${name} ${value}`)
console.log(`npm run prove -- --seed ${seed} ${options.join(' ')}  # commit ${commit}`)

if (!again) await run({ plan, folder, build, say: line => console.log(`  ${line}`) })
const { findings, missing, counts } = await check(folder)
for (const [name, count] of Object.entries(counts)) console.log(`  ${name}: ${count}`)
for (const { promise, message } of findings) console.log(`BROKEN ${promise}: ${message}`)
for (const reason of missing) console.log(`INCONCLUSIVE: ${reason}`)
if (findings.length > 0) console.log(`broken: the files are in ${folder}`)
else console.log(missing.length > 0 ? 'inconclusive' : 'all promises hold')
process.exitCode = findings.length > 0 ? 1 : missing.length > 0 ? 2 : 0
