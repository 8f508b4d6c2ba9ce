// A message of the Redis bus: version and sender in front, so that one's own is known without reading on.
import * as decoding from 'lib0/decoding'
import * as encoding from 'lib0/encoding'
import { z } from 'zod'
import { type Notice, notice } from './bus.ts'

const VERSION = 1

const notices = z.array(notice)

export function encodeMessage(from: string, told: Notice[]): Buffer {
  const encoder = encoding.createEncoder()
  encoding.writeVarUint(encoder, VERSION)
  encoding.writeVarString(encoder, from)
  encoding.writeAny(encoder, told)
  return Buffer.from(encoding.toUint8Array(encoder))
}

/** null: from `self`. 'unknown': of another version, or from someone else altogether. */
export function decodeMessage(self: string, message: Uint8Array): Notice[] | 'unknown' | null {
  try {
    const decoder = decoding.createDecoder(message)
    if (decoding.readVarUint(decoder) !== VERSION) return 'unknown'
    if (decoding.readVarString(decoder) === self) return null
    const parsed = notices.safeParse(decoding.readAny(decoder))
    return parsed.success ? parsed.data.map(withOwnBytes) : 'unknown'
  } catch {
    return 'unknown'
  }
}

/** The update lies in what the socket read: kept as it is, it would keep all of that in memory. */
function withOwnBytes(heard: Notice): Notice {
  if (heard.kind !== 'grown' || !heard.turn) return heard
  return { ...heard, turn: { ...heard.turn, update: heard.turn.update.slice() } }
}
