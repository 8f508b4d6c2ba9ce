// The wall clock of an instance or of PostgreSQL jumps, and jumps back at the end. Turns tell: their cards have the
// instance's time, their rows have the database's.
import type { Fault } from '../faults.ts'
import { type Begin, instanceOf, type Stage } from './nemesis.ts'

/** A turn is committed soon after its cards get their time: how far their difference may be from the shift, as a share. */
const TOLERANCE = 0.5

export const clock: Begin<'clock'> = async (stage, fault) => {
  const { name, shift } = clockOf(stage, fault)
  const { sql } = stage
  const { shift_s } = fault
  // How far the cards are ahead of their rows, and the rows of the time when the fault began.
  const [ahead_s, rows_s] = 'instance' in fault ? [shift_s, 0] : [-shift_s, shift_s]
  const [begun] = await sql<{ at: string }[]>`select now() as at`
  await shift(shift_s)
  let turns = 0
  return {
    async end() {
      const [row] = await sql<{ turns: number }[]>`
        select count(*)::integer as turns from document_updates
        where created_at >= ${begun?.at ?? null}::timestamptz + ${rows_s} * interval '1 second'
          and abs(
            extract(epoch from (events -> 0 -> 'data' ->> 'updated_at')::timestamptz - created_at) - ${ahead_s}
          ) < ${Math.abs(shift_s) * TOLERANCE}`
      turns = row?.turns ?? 0
      await shift(0)
    },
    evidence: () => (turns > 0 ? `${name} dated ${turns} turns ${shift_s} s from now` : null),
  }
}

function clockOf(stage: Stage, fault: Extract<Fault, { kind: 'clock' }>) {
  if ('instance' in fault) {
    const { name, shiftClock } = instanceOf(stage, fault)
    return { name, shift: shiftClock }
  }
  const { clock } = stage.postgres
  if (!clock) throw new Error('this PostgreSQL was started without a clock that can be shifted')
  return { name: 'PostgreSQL', shift: clock.shift }
}
