// A rolling restart of three instances behind a balancer, judged like every other run. ROLL_FROM names the folder of the
// previous release, which is replaced then (`npm run prove:upgrade`).
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { check } from '../../proof/check/check.ts'
import type { Operation, Plan } from '../../proof/plan.ts'
import { planWith } from '../../proof/plan-with.ts'
import { type RunOptions, run } from '../../proof/run.ts'
import { startBalancer } from '../../support/balancer.ts'
import { hasCaddy, startCaddy } from '../../support/caddy.ts'

const root = fileURLToPath(new URL('../../..', import.meta.url))
const previous = process.env.ROLL_FROM || undefined
const SIZE = { instances: 3, cards: 100, viewers: 30 }

test('P16: in a rolling restart every promise holds, no request fails and no viewer reconnects twice', () =>
  roll('roll', { startBalancer, drain_s: 2 }))

// Caddy checks /readyz once a second, so this takes another minute and a half.
if (hasCaddy && !previous)
  test('P16: a rolling restart behind the kit’s Caddyfile keeps every promise', () =>
    roll('roll-caddy', { startBalancer: startCaddy, drain_s: 4 }))

type Roll = Required<Pick<RunOptions, 'startBalancer'>> & { drain_s: number }

async function roll(name: string, { startBalancer, drain_s }: Roll): Promise<void> {
  const folder = join(root, 'test-results/proof', name)
  const leave = previous !== undefined
  const restarts = [0, 1, 2].map(instance => ({
    fault: { kind: 'restart' as const, instance, leave },
    lasts: drain_s * 1000,
  }))
  const env = { DRAIN_SECONDS: String(drain_s) }
  const plan = planWith(restarts, { size: SIZE, more_ms: 1_000 })
  await run({
    plan: leave ? withoutQuestions(plan) : plan,
    folder,
    build: root,
    env,
    startBalancer,
    previous,
  })
  const { findings, missing, counts } = await check(folder, false)
  expect({ findings, missing }).toEqual({ findings: [], missing: [] })
  expect(counts.turns).toBeGreaterThan(100)
}

/** What the previous release doesn't know. */
function withoutQuestions(plan: Plan): Plan {
  const unknown = ['ask', 'press', 'withdraw', 'reopen', 'read decision', 'list decisions', 'hide', 'revoke']
  const known = (operations: Operation[]) => operations.filter(({ kind }) => !unknown.includes(kind))
  const posts = plan.posts.map(({ during, resume }) => ({ during: known(during), resume: known(resume) }))
  return { ...plan, posts }
}
