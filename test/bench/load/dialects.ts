// The viewer's side of each server's protocol. A viewer sends what a stock client sends when it
// opens and every 15 s after; it never writes.
import * as decoding from 'lib0/decoding'
import * as encoding from 'lib0/encoding'

/** plain: a socket that receives bytes and sends nothing. */
export type Dialect = 'y-websocket' | 'hocuspocus' | 'plain'

const sync = 0
const awareness = 1
const auth = 2
const syncStep1 = 0
const syncStep2 = 1

export const emptyStateVector = new Uint8Array([0])

function message(write: (encoder: encoding.Encoder) => void): Uint8Array {
  return encoding.encode(write)
}

/** Frames to send once the socket is open. */
export function hello(dialect: Dialect, channelId: string, stateVector: Uint8Array): Uint8Array[] {
  if (dialect === 'plain') return []
  const step1 = message(encoder => {
    if (dialect === 'hocuspocus') encoding.writeVarString(encoder, channelId)
    encoding.writeVarUint(encoder, sync)
    encoding.writeVarUint(encoder, syncStep1)
    encoding.writeVarUint8Array(encoder, stateVector)
  })
  if (dialect === 'y-websocket') return [step1]
  const token = message(encoder => {
    encoding.writeVarString(encoder, channelId)
    encoding.writeVarUint(encoder, auth)
    encoding.writeVarUint(encoder, 0)
    encoding.writeVarString(encoder, '')
  })
  return [token, step1]
}

/** An empty awareness update keeps the connection alive. */
export function keepAlive(dialect: Dialect, channelId: string): Uint8Array | null {
  if (dialect === 'plain') return null
  return message(encoder => {
    if (dialect === 'hocuspocus') encoding.writeVarString(encoder, channelId)
    encoding.writeVarUint(encoder, awareness)
    encoding.writeVarUint8Array(encoder, new Uint8Array([0]))
  })
}

/** The update in a sync message, and whether it responds to our state vector; null for other messages. */
export function readSync(dialect: Dialect, frame: Uint8Array): { first: boolean; update: Uint8Array } | null {
  if (dialect === 'plain') return null
  const decoder = decoding.createDecoder(frame)
  if (dialect === 'hocuspocus') decoding.readVarString(decoder)
  const type = decoding.readVarUint(decoder)
  if (type !== sync) return null
  const step = decoding.readVarUint(decoder)
  if (step === syncStep1) return null
  return { first: step === syncStep2, update: decoding.readVarUint8Array(decoder) }
}
