// Measures what more instances cost, for 40 minutes. `--quick` only shows that it works.
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { flag, PLAN_OPTIONS } from '../../proof/command.ts'
import { commitOf, RESULTS } from '../../proof/outcome.ts'
import { scale } from './scale.ts'

const { values } = parseArgs({ options: { build: PLAN_OPTIONS.build, quick: flag } })
const { build, quick } = values

console.log(`npm run prove:scale${quick ? ' -- --quick' : ''}  # commit ${commitOf()}`)
await scale({ folder: join(RESULTS, 'scale'), build, quick })

// Whatever a failed run left open must not keep this process alive.
process.exit()
