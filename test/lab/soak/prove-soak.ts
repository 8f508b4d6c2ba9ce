// Does anything grow under a steady load? The argument is a duration, such as 20m, 2h or 24h. `--again`: only judges the
// samples of an earlier soak, in this folder. Exit code 0: nothing grows, 1: something does, 2: too short to tell.
import { parseArgs } from 'node:util'
import { PLAN_OPTIONS, text } from '../../proof/command.ts'
import { commitOf } from '../../proof/outcome.ts'
import { SOAK } from '../results.ts'
import { soak } from './soak.ts'

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { build: PLAN_OPTIONS.build, again: text },
})
const { build, again } = values
const [duration = '1h'] = positionals

console.log(`npm run prove:soak -- ${duration}  # commit ${commitOf()}`)
process.exitCode = await soak({ duration, folder: again ?? SOAK, build, again: again !== undefined })

// Whatever a failed run left open must not keep this process alive.
process.exit()
