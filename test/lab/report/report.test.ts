// The page's generated parts come from the files of runs and of a soak; the rest of the page stays.
import { readFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import type { Felt } from '../../proof/felt.ts'
import { exitCodeOf, type Outcome } from '../../proof/outcome.ts'
import { QUICK } from '../../proof/plan.ts'
import { makeParts, type Results, replaceParts } from './report.ts'

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

const partsOf = (outcomes: Outcome[], others: Outcome[] = []) =>
  makeParts({
    matrix: { outcomes, sha256: 'x' },
    faults: { outcomes: others, sha256: 'y' },
    soak: SOAK,
  })

const SOAK: NonNullable<Results['soak']> = {
  about: { duration: '2h', at: '2026-11-23T03:00:00.000Z', commit: 'abc1234', machine: '2 cores' },
  judged: [
    { name: 'handles', verdict: 'inconclusive', figure: '40, 2 a day (-9 to 13)', limit: '+ 6 a day' },
  ],
  figures: ['60 cards a second'],
  sha256: 'z',
}

test('text outside the markers stays, and a part that the page lacks is an error', () => {
  const page = 'before\n<!-- generated: seeds -->\nold\n<!-- end -->\nafter\n'
  expect(replaceParts(page, { seeds: 'new' })).toBe(
    'before\n<!-- generated: seeds -->\nnew\n<!-- end -->\nafter\n',
  )
  expect(() => replaceParts(page, { figures: 'new' })).toThrow(/no part figures/)
})

test('the reliability page has a place for every part', async () => {
  const page = await readFile(new URL('../../../docs/reliability.md', import.meta.url), 'utf8')
  expect(replaceParts(page, partsOf([outcome({})]))).toContain('SHA-256')
})

test('a fault’s row has its median and its worst, and a fault without effect has none', () => {
  const worse = { ...felt, failing: 4_000 }
  const none = { ...felt, fault: 'pause', evidence: null }
  const { faults } = partsOf([outcome({ felt: [felt, worse] })], [outcome({ felt: [none] })])
  expect(faults).toContain(
    '| kill | 2 | 900 ms / 900 ms | 4 of 20 | 1.2 s / 4.0 s | 2.6 s / 2.6 s | 2.7 s / 2.7 s |',
  )
  expect(faults).not.toContain('pause')
})

test('faults that random plans do not have get rows from their own runs, which are counted apart', () => {
  const restore = outcome({ felt: [{ ...felt, fault: 'restore' }], commit: 'def5678' })
  const red = outcome({ verdict: 'inconclusive', command: 'npm run prove:faults -- disk', missing: ['none'] })
  const parts = partsOf([outcome({})], [restore, red])
  expect(parts.faults).toContain('| restore | 1 |')
  expect(parts['fault runs']).toContain('1 of 2 runs hold. Commit `def5678`')
  expect(parts['fault runs']).toContain('- inconclusive: `npm run prove:faults -- disk`\n  - none')
  expect(parts.figures).toContain('| 1 | 1 | 0 | 0 | 0 |')
})

test('a soak’s figures are there with their limits and verdicts, also without a clear one', () => {
  const { soak } = partsOf([])
  expect(soak).toContain('| handles | 40, 2 a day (-9 to 13) | + 6 a day | inconclusive |')
  expect(soak).toContain('`npm run prove:soak -- 2h`, commit `abc1234`, 2026-11-23. 2 cores.')
})

test('every run that was not green is named with its command', () => {
  const red = outcome({
    verdict: 'broken',
    command: 'npm run prove -- --seed 8',
    findings: [{ promise: 'P2', message: 'twice' }],
  })
  const { seeds } = partsOf([outcome({}), red])
  expect(seeds).toContain('- broken: `npm run prove -- --seed 8`\n  - P2: twice')
  expect(exitCodeOf([outcome({}), red])).toBe(1)
  expect(exitCodeOf([outcome({}), outcome({ verdict: 'inconclusive' })])).toBe(2)
  expect(exitCodeOf([outcome({})])).toBe(0)
})

test('a part without results is left as it is', () => {
  expect(Object.keys(makeParts({ matrix: null, faults: null, soak: SOAK }))).toEqual(['soak'])
})
