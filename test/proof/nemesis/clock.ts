// An instance's wall clock jumps, and jumps back at the end. Its turns tell: their cards have its time, their rows have the
// database's.
import { type Begin, instanceOf } from './nemesis.ts'

/** A turn is committed soon after its cards get their time: how far their difference may be from the shift, as a share. */
const TOLERANCE = 0.5

export const clock: Begin<'clock'> = async (stage, fault) => {
  const instance = instanceOf(stage, fault)
  const { sql } = stage
  const { shift_s } = fault
  const [begun] = await sql<{ at: string }[]>`select now() as at`
  await instance.shiftClock(shift_s)
  let turns = 0
  return {
    async end() {
      const [row] = await sql<{ turns: number }[]>`
        select count(*)::integer as turns from document_updates
        where created_at >= ${begun?.at ?? null}::timestamptz and abs(
          extract(epoch from (events -> 0 -> 'data' ->> 'updated_at')::timestamptz - created_at) - ${shift_s}
        ) < ${Math.abs(shift_s) * TOLERANCE}`
      turns = row?.turns ?? 0
      await instance.shiftClock(0)
    },
    evidence: () => (turns > 0 ? `${instance.name} dated ${turns} turns ${shift_s} s from now` : null),
  }
}
