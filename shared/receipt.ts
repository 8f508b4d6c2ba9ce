// A receipt: what every viewer sees of a press, and how the presses of one button block or header action add up.
import { z } from 'zod'
import { decidedBy } from './decision.ts'
import { RECEIPTS_SHOWN, RECEIPTS_TOTAL_MAX } from './limits.ts'
import { timestamp } from './text.ts'

/** `label`: of the button when it was pressed. `timestamp`: when the person pressed. `act`: see `publicIdOf` in public-id.ts. */
const fields = { label: z.string(), by: decidedBy, timestamp, act: z.string() }

export const receipt = z.object({ button_id: z.string(), ...fields })
export type Receipt = z.output<typeof receipt>

export const headerReceipt = z.object({ action_id: z.string(), ...fields })
export type HeaderReceipt = z.output<typeof headerReceipt>

const totalsOf = <S extends z.ZodType>(item: S) =>
  z.object({
    total: z.int().min(0).max(RECEIPTS_TOTAL_MAX),
    latest: z.array(item).max(RECEIPTS_SHOWN).describe('Newest first.'),
  })

/** `total` counts all presses, also those that `latest` no longer lists. */
type ReceiptTotals<R> = { total: number; latest: R[] }

/** Of a card, by block. */
export const cardReceipts = z.record(z.string(), totalsOf(receipt))
export type CardReceipts = z.output<typeof cardReceipts>

/** Of a channel's header, by action. */
export const headerReceipts = z.record(z.string(), totalsOf(headerReceipt))
export type HeaderReceipts = z.output<typeof headerReceipts>

export function addReceipt<R>(totals: ReceiptTotals<R> | undefined, receipt: R): ReceiptTotals<R> {
  return {
    total: Math.min(RECEIPTS_TOTAL_MAX, (totals?.total ?? 0) + 1),
    latest: [receipt, ...(totals?.latest ?? [])].slice(0, RECEIPTS_SHOWN),
  }
}

/** Removes what was pressed before `before` (ISO 8601). Returns the argument itself if nothing was. */
export function dropReceipts<R extends { timestamp: string }>(
  receipts: Record<string, ReceiptTotals<R>>,
  before: string,
): Record<string, ReceiptTotals<R>> {
  const isOld = ({ timestamp }: R) => timestamp < before
  if (!Object.values(receipts).some(({ latest }) => latest.some(isOld))) return receipts
  return Object.fromEntries(
    Object.entries(receipts).map(([id, { total, latest }]) => [
      id,
      { total, latest: latest.filter(receipt => !isOld(receipt)) },
    ]),
  )
}
