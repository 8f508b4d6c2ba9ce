// Which runs a matrix does.
import { expect, test } from 'vitest'
import type { Outcome } from '../../proof/outcome.ts'
import { QUICK } from '../../proof/plan.ts'
import { parseDuration } from '../duration.ts'
import { type Combination, combinationsOf, parseChoices, runMatrix } from './matrix.ts'

const choices = parseChoices({ bus: 'postgres,redis', instances: '1,2', pg: '14,18' }, [5, 6])

/** A run as the matrix sees it. */
const outcomeOf = ({ seed, ...chosen }: Combination, verdict: Outcome['verdict']): Outcome => ({
  at: '',
  seed,
  size: { ...QUICK, ...chosen },
  liveness: false,
  command: '',
  commit: '',
  machine: '',
  verdict,
  findings: [],
  missing: [],
  felt: [],
  operations: 0,
  unknown: 0,
  turns: 0,
  seconds: 0,
  figures: null,
  convergence: null,
  sha256: '',
})

test('every combination runs once, and the first seed tries all before the second', () => {
  const all = combinationsOf(choices)
  expect(new Set(all.map(combination => JSON.stringify(combination))).size).toBe(16)
  expect(all.map(({ seed }) => seed)).toEqual([...Array(8).fill(5), ...Array(8).fill(6)])
})

test('a red run does not end the matrix', async () => {
  const outcomes = await runMatrix(combinationsOf(choices), { prove: async one => outcomeOf(one, 'broken') })
  expect(outcomes).toHaveLength(16)
})

test('no run begins that would end after the limit', async () => {
  let now = 0
  const outcomes = await runMatrix(combinationsOf(choices), {
    limit_ms: parseDuration('5m'),
    clock: () => now,
    async prove(one) {
      now += 60_000
      return outcomeOf(one, 'holds')
    },
  })
  expect(outcomes).toHaveLength(5)
})

test('an unknown bus, version or duration is rejected', () => {
  expect(() => parseChoices({ bus: 'kafka', instances: '1', pg: '18' }, [1])).toThrow(/kafka/)
  expect(() => parseChoices({ bus: 'redis', instances: '1', pg: '13' }, [1])).toThrow(/13/)
  expect(() => parseDuration('soon')).toThrow(/soon/)
})
