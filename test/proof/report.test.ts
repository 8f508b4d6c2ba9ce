// The page's generated parts come from the lines of matrix.jsonl; the rest of the page stays.
import { readFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import type { Felt } from './felt.ts'
import { exitCodeOf, type Outcome } from './outcome.ts'
import { QUICK } from './plan.ts'
import { makeParts, replaceParts } from './report.ts'

const felt: Felt = {
  fault: 'kill',
  lasted: 900,
  evidence: 'instance-0 died',
  requests: 10,
  failed: 2,
  failing: 1_200,
  slowest: 30,
  lost: 3,
  away: 2_600,
  late: 2_700,
}

const outcome = (change: Partial<Outcome>): Outcome => ({
  at: '2026-11-23T03:00:00.000Z',
  seed: 7,
  size: QUICK,
  liveness: false,
  command: 'npm run prove -- --seed 7',
  commit: 'abc1234',
  machine: '2 cores',
  verdict: 'holds',
  findings: [],
  missing: [],
  felt: [felt],
  operations: 1_000,
  unknown: 4,
  turns: 700,
  seconds: 40,
  figures: { lost_turns: 3, versions: { node: 'v20', postgres: '18.4' } },
  convergence: { heal: 120, calm: 40 },
  sha256: 'd'.repeat(64),
  ...change,
})

test('text outside the markers stays, and a part that the page lacks is an error', () => {
  const page = 'before\n<!-- generated: seeds -->\nold\n<!-- end -->\nafter\n'
  expect(replaceParts(page, { seeds: 'new' })).toBe(
    'before\n<!-- generated: seeds -->\nnew\n<!-- end -->\nafter\n',
  )
  expect(() => replaceParts(page, { figures: 'new' })).toThrow(/no part figures/)
})

test('the reliability page has a place for every part', async () => {
  const page = await readFile(new URL('../../docs/reliability.md', import.meta.url), 'utf8')
  expect(replaceParts(page, makeParts([outcome({})], 'x'))).toContain('SHA-256')
})

test('a fault’s row has its median and its worst, and a fault without effect has none', () => {
  const worse = { ...felt, failing: 4_000 }
  const none = { ...felt, fault: 'pause', evidence: null }
  const { faults } = makeParts([outcome({ felt: [felt, worse, none] })], 'x')
  expect(faults).toContain(
    '| kill | 2 | 900 ms / 900 ms | 4 of 20 | 1.2 s / 4.0 s | 2.6 s / 2.6 s | 2.7 s / 2.7 s |',
  )
  expect(faults).not.toContain('pause')
})

test('every run that was not green is named with its command', () => {
  const red = outcome({
    verdict: 'broken',
    command: 'npm run prove -- --seed 8',
    findings: [{ promise: 'P2', message: 'twice' }],
  })
  const { seeds } = makeParts([outcome({}), red], 'x')
  expect(seeds).toContain('- broken: `npm run prove -- --seed 8`\n  - P2: twice')
  expect(exitCodeOf([outcome({}), red])).toBe(1)
  expect(exitCodeOf([outcome({}), outcome({ verdict: 'inconclusive' })])).toBe(2)
  expect(exitCodeOf([outcome({})])).toBe(0)
})
