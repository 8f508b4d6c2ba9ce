// Counts the bytes of interactions against the daily limit of the channel's owner. Cards, changes and presses of a turn
// count in its commit.
import type { Transaction } from '../database/connect.ts'
import { dailyBytesReached, utcDay } from '../rate-limit.ts'

/** `limit`: null for none. */
export type ByteBudget = { owner_id: string; limit: number | null; now: () => number }

/** Throws 429 if the day has too few bytes left. The last statement of a transaction: see "Lock order" in connect.ts. */
export async function countBytes(tx: Transaction, { owner_id, limit, now }: ByteBudget, bytes: number) {
  const at = now()
  const counted = await tx`
    insert into daily_usage (user_id, day, bytes)
    select ${owner_id}::uuid, ${utcDay(at)}::date, ${bytes}::bigint
    where ${limit}::bigint is null or ${bytes}::bigint <= ${limit}::bigint
    on conflict (user_id, day) do update set bytes = daily_usage.bytes + excluded.bytes
    where ${limit}::bigint is null or daily_usage.bytes + excluded.bytes <= ${limit}::bigint
    returning 1`
  if (counted.length === 0) throw dailyBytesReached(at)
}
