// The messages of the Redis bus. Version and sender come first, so that an instance skips its own messages early.
import * as decoding from 'lib0/decoding'
import * as encoding from 'lib0/encoding'
import { z } from 'zod'
import { type BusNotice, notice } from './bus.ts'

const VERSION = 1

const noticeList = z.array(notice)

export function encodeMessage(from: string, notices: BusNotice[]): Buffer {
  const encoder = encoding.createEncoder()
  encoding.writeVarUint(encoder, VERSION)
  encoding.writeVarString(encoder, from)
  encoding.writeAny(encoder, notices)
  return Buffer.from(encoding.toUint8Array(encoder))
}

/** null: sent by `self`. 'unknown': another version, or not a message. */
export function decodeMessage(self: string, message: Uint8Array): BusNotice[] | 'unknown' | null {
  try {
    const decoder = decoding.createDecoder(message)
    if (decoding.readVarUint(decoder) !== VERSION) return 'unknown'
    if (decoding.readVarString(decoder) === self) return null
    const parsed = noticeList.safeParse(decoding.readAny(decoder))
    return parsed.success ? parsed.data.map(withOwnBytes) : 'unknown'
  } catch {
    return 'unknown'
  }
}

/** The update is part of the socket's buffer, and would keep the whole buffer in memory. */
function withOwnBytes(notice: BusNotice): BusNotice {
  if (notice.kind !== 'grown' || !notice.turn) return notice
  return { ...notice, turn: { ...notice.turn, update: notice.turn.update.slice() } }
}
