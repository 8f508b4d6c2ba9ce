// A receipt: what every viewer sees of a press, and how the presses of one button block or header action add up.
import { z } from 'zod'
import { decidedBy } from './decision.ts'
import { RECEIPTS_SHOWN, RECEIPTS_TOTAL_MAX } from './limits.ts'
import { timestamp } from './text.ts'

/** `label`: of the button when it was pressed. `timestamp`: when the person pressed. `act`: see `actOf` in decision-rules.ts. */
const fields = { label: z.string(), by: decidedBy, timestamp, act: z.string() }

export const receipt = z.object({ button_id: z.string(), ...fields })
export type Receipt = z.output<typeof receipt>

export const headerReceipt = z.object({ action_id: z.string(), ...fields })
export type HeaderReceipt = z.output<typeof headerReceipt>

const actsOf = <S extends z.ZodType>(item: S) =>
  z.object({
    total: z.int().min(0).max(RECEIPTS_TOTAL_MAX),
    latest: z.array(item).max(RECEIPTS_SHOWN).describe('Newest first.'),
  })

/** `total` counts all presses, also those that `latest` no longer lists. */
type Acts<R> = { total: number; latest: R[] }

/** Of a card, by block. */
export const cardActs = z.record(z.string(), actsOf(receipt))
export type CardActs = z.output<typeof cardActs>

/** Of a channel's header, by action. */
export const headerActs = z.record(z.string(), actsOf(headerReceipt))
export type HeaderActs = z.output<typeof headerActs>

export function addReceipt<R>(acts: Acts<R> | undefined, receipt: R): Acts<R> {
  return {
    total: Math.min(RECEIPTS_TOTAL_MAX, (acts?.total ?? 0) + 1),
    latest: [receipt, ...(acts?.latest ?? [])].slice(0, RECEIPTS_SHOWN),
  }
}

/** Removes what was pressed before `before` (ISO 8601). Returns the argument itself if nothing was. */
export function dropReceipts<R extends { timestamp: string }>(
  acts: Record<string, Acts<R>>,
  before: string,
): Record<string, Acts<R>> {
  const isOld = ({ timestamp }: R) => timestamp < before
  if (!Object.values(acts).some(({ latest }) => latest.some(isOld))) return acts
  return Object.fromEntries(
    Object.entries(acts).map(([id, { total, latest }]) => [
      id,
      { total, latest: latest.filter(receipt => !isOld(receipt)) },
    ]),
  )
}
