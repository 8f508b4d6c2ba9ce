// Which node of a Redis cluster serves which slots, and the slot of a topic.
import type { Redis } from 'ioredis'
import { z } from 'zod'

const SLOTS = 16_384

export type Serves = (slot: number) => boolean

const slotsReply = z.array(
  z
    .tuple([z.number(), z.number(), z.tuple([z.string().nullable(), z.number()]).rest(z.unknown())])
    .rest(z.unknown()),
)

/** A cluster's masters by URL; null where the server is none, or does not tell. */
export async function readShards(redis: Redis, url: string): Promise<Map<string, Serves> | null> {
  const reply = slotsReply.safeParse(await redis.cluster('SLOTS').catch(() => null))
  if (!reply.success) return null
  const ranges = new Map<string, [number, number][]>()
  for (const [from, to, [host, port]] of reply.data) {
    const at = new URL(url)
    if (host) at.hostname = host.includes(':') ? `[${host}]` : host
    at.port = String(port)
    ranges.set(at.href, [...(ranges.get(at.href) ?? []), [from, to]])
  }
  if (ranges.size === 0) throw new Error('the cluster serves no slots')
  return new Map(
    [...ranges].map(([at, served]) => [
      at,
      (slot: number) => served.some(([from, to]) => from <= slot && slot <= to),
    ]),
  )
}

/** CRC16 (XMODEM) of the name, as Redis Cluster's specification says; our topics have no hash tags. */
export function slotOf(topic: string): number {
  let crc = 0
  for (const byte of Buffer.from(topic)) {
    crc ^= byte << 8
    for (let bit = 0; bit < 8; bit++) crc = crc & 0x8000 ? (crc << 1) ^ 0x1021 : crc << 1
  }
  return (crc & 0xffff) % SLOTS
}
