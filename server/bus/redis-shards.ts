// Which node of a Redis cluster has which slots, and the slot of a topic.
import slotOf from 'cluster-key-slot'
import type { Redis } from 'ioredis'
import { z } from 'zod'

export { slotOf }

export type HasSlot = (slot: number) => boolean

const slotsReply = z.array(
  z
    .tuple([z.number(), z.number(), z.tuple([z.string().nullable(), z.number()]).rest(z.unknown())])
    .rest(z.unknown()),
)

/** A cluster's masters by URL; null if the server is not in a cluster, or forbids the command. */
export async function readShards(redis: Redis, url: string): Promise<Map<string, HasSlot> | null> {
  const reply = slotsReply.safeParse(await redis.cluster('SLOTS').catch(() => null))
  if (!reply.success) return null
  const ranges = new Map<string, [number, number][]>()
  for (const [from, to, [host, port]] of reply.data) {
    const at = new URL(url)
    if (host) at.hostname = host.includes(':') ? `[${host}]` : host
    at.port = String(port)
    ranges.set(at.href, [...(ranges.get(at.href) ?? []), [from, to]])
  }
  if (ranges.size === 0) throw new Error('the cluster has no slots')
  return new Map(
    [...ranges].map(([at, nodeRanges]) => [
      at,
      (slot: number) => nodeRanges.some(([from, to]) => from <= slot && slot <= to),
    ]),
  )
}
