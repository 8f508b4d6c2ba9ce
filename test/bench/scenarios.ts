// All scenarios, in the order of the table's rows.
import type { Scenario } from './scenario.ts'
import { capacity } from './scenarios/capacity.ts'
import { changeScenarios } from './scenarios/changes.ts'
import { deletion } from './scenarios/deletion.ts'
import { fanOut } from './scenarios/fan-out.ts'
import { growth } from './scenarios/growth.ts'
import { idle } from './scenarios/idle.ts'
import { ingestScenarios } from './scenarios/ingest.ts'
import { join } from './scenarios/join.ts'
import { documentMemory, viewerMemory } from './scenarios/memory.ts'
import { storm } from './scenarios/storm.ts'
import { waiters } from './scenarios/waiters.ts'

export const scenarios: Scenario[] = [
  ...ingestScenarios,
  ...changeScenarios,
  fanOut,
  capacity,
  join,
  storm,
  documentMemory,
  viewerMemory,
  idle,
  growth,
  deletion,
  waiters,
]
