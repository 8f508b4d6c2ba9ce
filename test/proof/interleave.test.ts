// Three instances in this process, on a real database. Every query, commit, notice and timer waits for fast-check's
// scheduler, which also loses, repeats and cuts them. A failure prints its seed, which SEED repeats, and the path of the
// smallest plan found, which SEED_PATH repeats alone. INTERLEAVINGS: how many runs.
import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { forAllAsync } from '../support/for-all.ts'
import { type Database, startDatabase } from './interleave/database.ts'
import { plans } from './interleave/plan.ts'
import { type Interleaving, run } from './interleave/run.ts'
import { takeTimers } from './interleave/timers.ts'

const RUNS = Number(process.env.INTERLEAVINGS ?? 200)
/** For each run, on a busy machine; and for finding a smaller plan. */
const RUN_MS = 500
const SHRINK_MS = 60_000
const LIMIT_MS = RUNS * RUN_MS + SHRINK_MS

let database: Database
let returnTimers: () => void

beforeAll(async () => {
  database = await startDatabase()
  returnTimers = takeTimers()
})

afterAll(async () => {
  returnTimers?.()
  await database?.stop()
})

const interleavings: fc.Arbitrary<Interleaving> = fc.record({ plan: plans, scheduler: fc.scheduler() })

/** What happens in so many runs, or the proof proves less than it says. */
const FELT_AFTER = 2_000
const MUST_BE_FELT = [
  ...['commit: cut', 'commit: answer lost', 'commit: late', 'commit: cancelled'],
  ...['read: cut', 'read: answer lost', 'read: late', 'read: cancelled'],
  ...['notice: lost', 'notice: twice', 'crash', 'deaf', 'time', 'slow', 'leave'],
  ...['turn: committed', 'turn: lost', 'turn: unknown', 'turn: unavailable'],
]

test(
  `P1 to P6 hold in ${RUNS} orders of queries, commits, notices and timers`,
  async () => {
    const felt = new Map(MUST_BE_FELT.map((what): [string, number] => [what, 0]))
    const check = async (given: Interleaving) => {
      const { findings, trace, ...what } = await run(given, database)
      for (const name of what.felt) felt.set(name, (felt.get(name) ?? 0) + 1)
      if (findings.length === 0) return
      const lines = findings.map(({ promise, message }) => `${promise}: ${message}`)
      throw new Error([...lines, ...trace].join('\n'))
    }
    await forAllAsync(interleavings, check, RUNS, LIMIT_MS)
    if (RUNS >= FELT_AFTER && !process.env.SEED_PATH)
      expect([...felt].filter(([, times]) => times === 0)).toEqual([])
  },
  LIMIT_MS + 20_000,
)
