// One run for each fault that random plans don't have: was it felt, and do the promises hold? Arguments: parts of names; all
// by default. Exit code as that of prove.ts.
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { check } from '../check/check.ts'
import { type Fault, type FaultKind, makePlan, type Plan, QUICK, type Size } from '../plan.ts'
import { run } from '../run.ts'

const root = fileURLToPath(new URL('../../..', import.meta.url))
const SEED = 1
const BEGIN_MS = 1_000

type Trial = { name: string; fault: FaultKind; lasts?: number; size?: Partial<Size>; posts_ms?: number }

const connections = (['used up', 'terminated', 'cancelled', 'read-only'] as const).map(
  (how): Trial => ({ name: `connections ${how}`, fault: { kind: 'connections', how } }),
)
const receivers = (['hang', 'dead body', 'redirect', 'reset', 'slow'] as const).map(
  (how): Trial => ({ name: `receivers ${how}`, fault: { kind: 'receivers', how } }),
)
const viewers = (['stop reading', 'flood', 'return at once'] as const).map(
  (how): Trial => ({ name: `viewers ${how}`, fault: { kind: 'viewers', how, channel: 0, instance: 0 } }),
)
const disks = (['slow flush', 'full tables', 'full log', 'broken flush'] as const).map(
  (how): Trial => ({ name: `disk ${how}`, fault: { kind: 'disk', how } }),
)
const shifts = [-86_400, -3_600, -1, 1, 3_600, 86_400].map(
  (shift_s): Trial => ({ name: `clock ${shift_s} s`, fault: { kind: 'clock', instance: 1, shift_s } }),
)

const TRIALS: Trial[] = [
  ...connections,
  { name: 'postgres killed', fault: { kind: 'postgres', how: 'killed' } },
  { name: 'postgres backend killed', fault: { kind: 'postgres', how: 'backend killed' } },
  { name: 'locked row', fault: { kind: 'locked row', channel: 0 }, lasts: 5_000 },
  { name: 'ended key', fault: { kind: 'ended key', instance: 0 } },
  { name: 'redis killed', fault: { kind: 'redis', how: 'killed' }, size: { bus: 'redis' } },
  { name: 'redis split', fault: { kind: 'redis', how: 'split', instance: 0 }, size: { bus: 'redis' } },
  ...receivers,
  ...viewers,
  { name: 'failover', fault: { kind: 'failover', synchronous: false }, posts_ms: 12_000 },
  { name: 'failover synchronous', fault: { kind: 'failover', synchronous: true }, posts_ms: 12_000 },
  {
    name: 'failover and a start',
    fault: { kind: 'failover', synchronous: false, restarted: 0 },
    posts_ms: 12_000,
  },
  { name: 'restore', fault: { kind: 'restore' }, posts_ms: 12_000 },
  ...shifts,
  ...disks,
]

const parts = process.argv.slice(2)
const wanted = TRIALS.filter(({ name }) => parts.length === 0 || parts.some(part => name.includes(part)))
let worst = 0
for (const trial of wanted) {
  const folder = join(root, 'test-results/proof', trial.name.replaceAll(' ', '-'))
  console.log(trial.name)
  await run({ plan: planOf(trial), folder, build: root, say: line => console.log(`  ${line}`) })
  const { findings, missing, counts } = await check(folder)
  console.log(`  ${counts.requests} requests, ${counts['unknown answers']} unknown answers, ${counts.turns} turns`)
  for (const { promise, message } of findings) console.log(`  BROKEN ${promise}: ${message}`)
  for (const reason of missing) console.log(`  INCONCLUSIVE: ${reason}`)
  worst = findings.length > 0 ? 1 : worst === 0 && missing.length > 0 ? 2 : worst
}
process.exitCode = worst

/** The load of a quick run, for as long as the fault needs it. */
function planOf({ fault: kind, lasts = 2_500, size, posts_ms = BEGIN_MS + lasts }: Trial): Plan {
  const plan = makePlan(SEED, { ...QUICK, ...size, cards: 100, faults: 0, steps: posts_ms / 10 })
  const fault: Fault = { at: BEGIN_MS, lasts, ...kind }
  const stretch = posts_ms / plan.heal_at
  const posts = plan.posts.map(({ during, resume }) => ({
    during: during.map(operation => ({ ...operation, at: Math.round(operation.at * stretch) })),
    resume,
  }))
  return { ...plan, posts, nemesis: [fault], heal_at: posts_ms }
}
