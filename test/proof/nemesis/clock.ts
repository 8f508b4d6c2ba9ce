// An instance's wall clock jumps, and jumps back at the end. Needs writes on that instance: cards have its time.
import { type Begin, instanceOf } from './nemesis.ts'

/** A card is that far from the database's time only if its instance's clock is wrong. */
const SHARE = 0.5

export const clock: Begin<'clock'> = async (stage, fault) => {
  const instance = instanceOf(stage, fault)
  const { sql } = stage
  const { shift_s } = fault
  await instance.shiftClock(shift_s)
  const [begun] = await sql<{ at: string }[]>`select now() as at`
  let cards = 0
  return {
    async end() {
      const [row] = await sql<{ cards: number }[]>`
        select count(*)::integer as cards from cards
        where abs(extract(epoch from updated_at - ${begun?.at ?? null}::timestamptz)) > ${Math.abs(shift_s) * SHARE}`
      cards = row?.cards ?? 0
      await instance.shiftClock(0)
    },
    evidence: () => (cards > 0 ? `${instance.name} dated ${cards} cards about ${shift_s} s from now` : null),
  }
}
