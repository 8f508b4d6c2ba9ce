// Runs with the faults that random plans don't have, one after another: was each felt, and do the promises hold? Arguments:
// names of groups, or parts of faults' names; all by default. Exit code as that of prove.ts.
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { hasFaketime } from '../../proof/cluster/postgres-clock.ts'
import type { FaultKind } from '../../proof/faults.ts'
import { exitCodeOf, type Outcome, proveOnce, RESULTS } from '../../proof/outcome.ts'
import type { Size } from '../../proof/plan.ts'
import { type Chosen, planWith } from '../../proof/plan-with.ts'
import type { RunOptions } from '../../proof/run.ts'
import { startBalancer } from '../../support/balancer.ts'
import { isInstalled } from '../../support/programs.ts'
import { FAULTS, keepOutcome } from '../results.ts'

const root = fileURLToPath(new URL('../../..', import.meta.url))
const CARDS = 100
/** Longer than a request may take. */
const LONG_MS = 15_000
const VIEWER_TROUBLES = ['stop reading', 'read slowly', 'ignore closes', 'flood', 'return at once'] as const
const NO_REDIS = !isInstalled('redis-server') && 'a redis-server'

type Trial = Chosen & { name: string }
/**
 * The faults of a group share a run. `more_ms`: how long posts go on after the last one began to end. `lacks`: what keeps
 * this machine from running it.
 */
type Group = Pick<RunOptions, 'env' | 'startBalancer'> & {
  trials: Trial[]
  size?: Partial<Size>
  more_ms?: number
  lacks?: string | false
}

const each = <T extends string | number>(names: readonly T[], make: (name: T) => Trial) => names.map(make)
const alone = (name: string, fault: FaultKind): Group => ({ trials: [{ name, fault }], more_ms: 10_000 })

const GROUPS: Record<string, Group> = {
  database: {
    trials: [
      ...each(['used up', 'terminated', 'cancelled', 'read-only'] as const, how => ({
        name: `connections ${how}`,
        fault: { kind: 'connections', how },
      })),
      ...each(['killed', 'backend killed', 'paused'] as const, how => ({
        name: `postgres ${how}`,
        fault: { kind: 'postgres', how },
      })),
      { name: 'locked row', fault: { kind: 'locked row', channel: 0 }, lasts: 5_000 },
    ],
  },
  'long pause': {
    trials: [
      { name: 'postgres paused for long', fault: { kind: 'postgres', how: 'paused' }, lasts: LONG_MS },
    ],
  },
  clock: {
    trials: each([-86_400, -3_600, -1, 1, 3_600, 86_400], shift_s => ({
      name: `clock ${shift_s} s`,
      fault: { kind: 'clock', instance: 1, shift_s },
    })),
  },
  'postgres clock': {
    lacks: !hasFaketime() && 'libfaketime: apt-get install libfaketime',
    // A whole day on the database's clock would end the promises about an Idempotency-Key.
    trials: each([-82_800, -3_600, -1, 1, 3_600, 82_800], shift_s => ({
      name: `postgres clock ${shift_s} s`,
      fault: { kind: 'clock', of: 'postgres', shift_s },
    })),
  },
  'slow network': {
    trials: each(['front', 'postgres'] as const, link => ({
      name: `slow ${link}`,
      fault: { kind: 'partition', instance: 0, link, how: 'slow', way: 'both' },
      lasts: 3_000,
    })),
  },
  drain: {
    env: { DRAIN_SECONDS: '2' },
    trials: each([0, 1], instance => ({
      name: `kill in the drain of instance ${instance}`,
      fault: { kind: 'kill', instance, after: { drain_ms: 1_000 } },
    })),
  },
  'rolling restart': {
    env: { DRAIN_SECONDS: '4' },
    startBalancer,
    // With more, P6 would measure the process that reads the viewers' documents.
    size: { instances: 3 },
    more_ms: 1_000,
    trials: each([0, 1, 2], instance => ({
      name: `restart of instance ${instance}`,
      fault: { kind: 'restart', instance, leave: false },
      lasts: 4_000,
    })),
  },
  webhook: {
    // A channel waits until the delivery that was under way counts as lost.
    size: { channels: 6 },
    // In the first line, in the headers, and in the body.
    trials: each([1, 200, 600], webhook_bytes => ({
      name: `kill at webhook byte ${webhook_bytes}`,
      fault: { kind: 'kill', instance: 0, after: { webhook_bytes } },
    })),
  },
  key: { trials: [{ name: 'ended key', fault: { kind: 'ended key', instance: 0 } }] },
  receivers: {
    // A slow one holds up its channels for ten seconds, so nothing may follow it.
    trials: each(['redirect', 'reset', 'dead body', 'slow'] as const, how => ({
      name: `receivers ${how}`,
      fault: { kind: 'receivers', how },
    })),
  },
  hang: alone('receivers hang', { kind: 'receivers', how: 'hang' }),
  viewers: {
    trials: [
      ...each(VIEWER_TROUBLES, how => ({
        name: `viewers ${how}`,
        fault: { kind: 'viewers', how, channel: 0, instance: 0 },
      })),
      { name: 'viewers paused', fault: { kind: 'viewers', how: 'paused' } },
    ],
  },
  away: alone('away past the log', { kind: 'viewers', how: 'away' }),
  redis: {
    lacks: NO_REDIS,
    size: { bus: 'redis' },
    trials: [
      ...each(['killed', 'demoted'] as const, how => ({
        name: `redis ${how}`,
        fault: { kind: 'redis', how },
      })),
      // Longer than a command may take.
      { name: 'redis paused', fault: { kind: 'redis', how: 'paused' }, lasts: 5_000 },
      { name: 'redis split', fault: { kind: 'redis', how: 'split', instance: 0 } },
    ],
  },
  cluster: {
    lacks: NO_REDIS,
    size: { bus: 'cluster' },
    trials: [{ name: 'cluster slots moved', fault: { kind: 'redis', how: 'slots moved' } }],
  },
  backlog: alone('backlog', { kind: 'backlog', instance: 0 }),
  pooler: {
    // `LISTEN` needs a session of its own, so several instances would notice each other's writes late.
    size: { instances: 1 },
    // The only instance is away for seconds: without these times, nobody could ask anything.
    more_ms: 8_000,
    trials: [
      { name: 'pooler', fault: { kind: 'pooler' }, lasts: 5_000 },
      { name: 'kill behind a pooler', fault: { kind: 'kill', instance: 0 }, lasts: 500 },
    ],
  },
  neighbour: {
    trials: [{ name: 'neighbour with big cards', fault: { kind: 'neighbour', instance: 0 }, lasts: 5_000 }],
  },
  failover: alone('failover', { kind: 'failover', synchronous: false }),
  synchronous: alone('failover synchronous', { kind: 'failover', synchronous: true }),
  stop: alone('stop', { kind: 'stop', instance: 0, channel: 0 }),
  restore: alone('restore', { kind: 'restore' }),
  disk: {
    lacks: !isInstalled('cc') && 'a C compiler',
    trials: each(['slow flush', 'full tables', 'full log', 'broken flush'] as const, how => ({
      name: `disk ${how}`,
      fault: { kind: 'disk', how },
    })),
  },
  'full disk': {
    lacks: process.getuid?.() !== 0 && 'root, who may mount a small disk',
    trials: [{ name: 'disk really full', fault: { kind: 'disk', how: 'really full' }, lasts: LONG_MS }],
  },
}

const parts = process.argv.slice(2)
const names = parts.filter(part => !(part in GROUPS))
const outcomes: Outcome[] = []
let left_out = false
for (const [name, group] of Object.entries(GROUPS)) {
  const all = parts.length === 0 || parts.includes(name)
  const trials = group.trials.filter(trial => all || names.some(part => trial.name.includes(part)))
  if (trials.length === 0) continue
  if (group.lacks) {
    console.log(`${name}: LEFT OUT, because it needs ${group.lacks}`)
    left_out = true
    continue
  }
  const { env, startBalancer } = group
  console.log(trials.map(({ name }) => name).join(', '))
  const outcome = await proveOnce({
    plan: planWith(trials, { ...group, size: { cards: CARDS, ...group.size } }),
    folder: join(RESULTS, `faults-${name.replace(' ', '-')}`),
    build: root,
    env,
    startBalancer,
    command: `npm run prove:faults -- '${name}'`,
    say: line => console.log(`  ${line}`),
  })
  await keepOutcome(FAULTS, outcome)
  for (const { promise, message } of outcome.findings) console.log(`  BROKEN ${promise}: ${message}`)
  for (const reason of outcome.missing) console.log(`  INCONCLUSIVE: ${reason}`)
  outcomes.push(outcome)
}
// Whatever a failed run left open must not keep this process alive.
process.exit(exitCodeOf(outcomes) || (left_out ? 2 : 0))
