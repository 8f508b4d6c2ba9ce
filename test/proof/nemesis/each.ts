// Runs with the faults that random plans don't have, one after another: was each felt, and do the promises hold? Arguments:
// names of groups, or parts of faults' names; all by default. Exit code as that of prove.ts.
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { check } from '../check/check.ts'
import type { Fault, FaultKind } from '../faults.ts'
import { makePlan, type Plan, QUICK, type Size } from '../plan.ts'
import { run } from '../run.ts'

const root = fileURLToPath(new URL('../../..', import.meta.url))
const SEED = 1
const BEGIN_MS = 1_000
const LASTS_MS = 2_000
const PAUSE_MS = 500
const STEPS_PER_MS = 0.05

type Trial = { name: string; fault: FaultKind; lasts?: number }
/** The faults of a group share a run. `more_ms`: how long posts go on after the last one began to end. */
type Group = { trials: Trial[]; size?: Partial<Size>; more_ms?: number }

const each = <T extends string | number>(names: readonly T[], make: (name: T) => Trial) => names.map(make)
const alone = (name: string, fault: FaultKind): Group => ({ trials: [{ name, fault }], more_ms: 10_000 })

const GROUPS: Record<string, Group> = {
  database: {
    trials: [
      ...each(['used up', 'terminated', 'cancelled', 'read-only'] as const, how => ({
        name: `connections ${how}`,
        fault: { kind: 'connections', how },
      })),
      ...each(['killed', 'backend killed'] as const, how => ({
        name: `postgres ${how}`,
        fault: { kind: 'postgres', how },
      })),
      { name: 'locked row', fault: { kind: 'locked row', channel: 0 }, lasts: 5_000 },
    ],
  },
  clock: {
    trials: [
      ...each([-86_400, -3_600, -1, 1, 3_600, 86_400], shift_s => ({
        name: `clock ${shift_s} s`,
        fault: { kind: 'clock', instance: 1, shift_s },
      })),
    ],
  },
  key: { trials: [{ name: 'ended key', fault: { kind: 'ended key', instance: 0 } }] },
  outside: {
    trials: [
      ...each(['hang', 'dead body', 'redirect', 'reset', 'slow'] as const, how => ({
        name: `receivers ${how}`,
        fault: { kind: 'receivers', how },
      })),
      ...each(['stop reading', 'flood', 'return at once'] as const, how => ({
        name: `viewers ${how}`,
        fault: { kind: 'viewers', how, channel: 0, instance: 0 },
      })),
    ],
  },
  redis: {
    size: { bus: 'redis' },
    trials: [
      { name: 'redis killed', fault: { kind: 'redis', how: 'killed' } },
      { name: 'redis split', fault: { kind: 'redis', how: 'split', instance: 0 } },
    ],
  },
  failover: alone('failover', { kind: 'failover', synchronous: false }),
  synchronous: alone('failover synchronous', { kind: 'failover', synchronous: true }),
  stop: alone('stop', { kind: 'stop', instance: 0, channel: 0 }),
  restore: alone('restore', { kind: 'restore' }),
  disk: {
    trials: each(['slow flush', 'full tables', 'full log', 'broken flush'] as const, how => ({
      name: `disk ${how}`,
      fault: { kind: 'disk', how },
    })),
  },
}

const parts = process.argv.slice(2)
let worst = 0
for (const [name, group] of Object.entries(GROUPS)) {
  const all = parts.length === 0 || parts.includes(name)
  const trials = group.trials.filter(trial => all || parts.some(part => trial.name.includes(part)))
  if (trials.length === 0) continue
  const folder = join(root, 'test-results/proof', `faults-${name}`)
  console.log(trials.map(({ name }) => name).join(', '))
  await run({
    plan: planOf({ ...group, trials }),
    folder,
    build: root,
    say: line => console.log(`  ${line}`),
  })
  const { findings, missing, counts } = await check(folder)
  console.log(
    `  ${counts.requests} requests, ${counts['unknown answers']} unknown answers, ${counts.turns} turns`,
  )
  for (const { promise, message } of findings) console.log(`  BROKEN ${promise}: ${message}`)
  for (const reason of missing) console.log(`  INCONCLUSIVE: ${reason}`)
  worst = findings.length > 0 ? 1 : worst === 0 && missing.length > 0 ? 2 : worst
}
process.exitCode = worst

/** The load of a quick run, for as long as the faults need it. */
function planOf({ trials, size, more_ms = 0 }: Group): Plan {
  let at = BEGIN_MS
  const nemesis = trials.map(({ fault: kind, lasts = LASTS_MS }): Fault => {
    const fault = { at, lasts, ...kind }
    at += lasts + PAUSE_MS
    return fault
  })
  const heal_at = at + more_ms
  const steps = Math.round(heal_at * STEPS_PER_MS)
  const plan = makePlan(SEED, { ...QUICK, ...size, cards: 100, faults: 0, steps })
  const stretch = heal_at / plan.heal_at
  const posts = plan.posts.map(({ during, resume }) => ({
    during: during.map(operation => ({ ...operation, at: Math.round(operation.at * stretch) })),
    resume,
  }))
  return { ...plan, posts, nemesis, heal_at }
}
