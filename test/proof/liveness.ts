// Breaks everything, heals the database for one instance, and posts there while the rest stays broken.
import { setTimeout as delay } from 'node:timers/promises'
import type { Fault, FaultKind } from './faults.ts'
import type { Ongoing } from './nemesis/nemesis.ts'
import type { Liveness } from './plan.ts'
import { now } from './records.ts'
import type { Mark } from './run.ts'
import { within } from './wait.ts'

const FAULT_MS = 60_000
/** How long the instance that heals has no database. */
const OUTAGE_MS = 1_000

export type Stage = {
  begin(fault: Fault): Promise<Ongoing>
  /** Resolves when the posters have done everything that they do on that instance. */
  post(): Promise<void>
  phase(phase: 'core'): void
  write(mark: Mark): void
  say(line: string): void
}

export async function keepCoreAlive(
  { core, broken }: Liveness,
  { begin, post, phase, write, say }: Stage,
): Promise<void> {
  async function beginFault(kind: FaultKind): Promise<() => Promise<void>> {
    const at = now()
    const began = performance.now()
    const fault: Fault = { at: 0, lasts: 0, ...kind }
    const ongoing = await within(FAULT_MS, begin(fault), `${fault.kind} begins`)
    return async () => {
      fault.lasts = Math.round(performance.now() - began)
      await within(FAULT_MS, ongoing.end(), `${fault.kind} ends`)
      const evidence = ongoing.evidence()
      write({ at, kind: 'fault', fault, ended: now(), evidence, together: true })
      say(`${fault.kind}: ${evidence ?? 'no effect'}`)
    }
  }

  const heal = await beginFault({
    kind: 'partition',
    instance: core,
    link: 'postgres',
    how: 'cut',
    way: 'both',
  })
  const others = await Promise.all(broken.map(beginFault))
  await delay(OUTAGE_MS)
  await heal()
  phase('core')
  await post()
  for (const end of others) await end()
}
