// Measures the service, its peers and the limits of its parts. `--help` explains the options.
import { mkdir, writeFile } from 'node:fs/promises'
import { cpus } from 'node:os'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { untilQuiet } from './measure.ts'
import { brief, detailTable, resultTable, type Taken } from './results.ts'
import { takeSample } from './sample.ts'
import type { Scenario } from './scenario.ts'
import { scenarios } from './scenarios.ts'
import { targets } from './targets.ts'

const { values: flags } = parseArgs({
  options: {
    scenario: { type: 'string', multiple: true, default: scenarios.map(({ name }) => name) },
    target: { type: 'string', multiple: true, default: targets.map(({ name }) => name) },
    rounds: { type: 'string' },
    quick: { type: 'boolean', default: false },
    profile: { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  },
})

const folder = fileURLToPath(new URL('results', import.meta.url))
const taken: Taken[] = []
const chosen = scenarios.filter(({ name }) => flags.scenario.includes(name))

if (flags.help) {
  console.log(`npm run bench -- [--scenario NAME]… [--target NAME]… [--rounds N] [--quick] [--profile]
scenarios: ${scenarios.map(({ name }) => name).join(' ')}
targets:   ${targets.map(({ name }) => name).join(' ')}
--quick    a few seconds each, to see that everything runs; its figures mean nothing
--profile  CPU profiles of the servers in results/profiles`)
} else {
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1))
  await mkdir(folder, { recursive: true })
  for (const scenario of chosen) await runScenario(scenario)
  await report()
}

/** Targets alternate, so that a drift of the machine affects all of them. */
async function runScenario(scenario: Scenario): Promise<void> {
  const rounds = Number(flags.rounds ?? (flags.quick ? 1 : scenario.rounds))
  const measured = targets.filter(
    ({ name }) => scenario.targets.includes(name) && flags.target.includes(name),
  )
  for (let round = 1; round <= rounds; round++) {
    for (const target of measured) {
      const profile = flags.profile ? `${folder}/profiles/${scenario.name}-${target.name}` : undefined
      try {
        if (!flags.quick) await untilQuiet(30)
        const sample = await takeSample(scenario, target, { quick: flags.quick, profile })
        taken.push({ scenario: scenario.name, target: target.name, round, sample })
        const figures = Object.entries(sample).map(([name, value]) => `${name} ${brief(value)}`)
        console.log(`${scenario.name} ${round}/${rounds} ${target.name}: ${figures.join(', ')}`)
      } catch (error) {
        console.log(`${scenario.name} ${round}/${rounds} ${target.name}: failed:`, error)
      }
    }
  }
}

async function report(): Promise<void> {
  const machine = {
    cpus: cpus().map(({ model }) => model),
    node: process.version,
    date: new Date().toISOString(),
  }
  const noise = taken.flatMap(({ sample: { noise } }) => (noise === undefined ? [] : [noise]))
  const text = [
    resultTable(taken, chosen, targets),
    `Node ${process.version}, ${cpus().length} × ${cpus()[0]?.model}; servers, load, viewers and PostgreSQL share them, ` +
      `all over loopback. Medians of the rounds; ratios are taken within a round. Other processes took up to ` +
      `${brief(Math.max(0, ...noise))} of a core. The slow disk: fsync and fdatasync of PostgreSQL sleep ` +
      `2 ms more (a preloaded shim), for every target alike.`,
    ...chosen.map(scenario => `### ${scenario.name}\n\n${detailTable(taken, scenario)}`),
  ].join('\n\n')
  await writeFile(`${folder}/results.json`, JSON.stringify({ machine, quick: flags.quick, taken }, null, 2))
  await writeFile(`${folder}/results.md`, `${text}\n`)
  console.log(`\n${text}`)
}
