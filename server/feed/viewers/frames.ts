// The part of the y-websocket protocol that this server speaks: it writes two messages and reads one. All other messages
// are dropped by their type bytes, and never decoded.
import * as decoding from 'lib0/decoding'
import * as encoding from 'lib0/encoding'
import * as Y from 'yjs'
import { frameStart } from './web-socket-frame.ts'

const SYNC = 0
/** Awareness, authentication, and the request for awareness. */
const OTHERS_MAX = 3
const STEP_1 = 0
const STEP_2 = 1
const UPDATE = 2

/** The document has one client, so no real viewer's state vector has more than this. */
const STATE_VECTOR_MAX = 64

const EMPTY_UPDATE = new Uint8Array([0, 0])

/** `vector` maps client ids to clocks. */
export type ViewerMessage =
  | { kind: 'step1'; vector: Map<number, number> }
  | { kind: 'dropped' }
  | { kind: 'malformed' }

export function readMessage(bytes: Uint8Array): ViewerMessage {
  try {
    const decoder = decoding.createDecoder(bytes)
    const type = decoding.readVarUint(decoder)
    if (type !== SYNC) return { kind: type <= OTHERS_MAX ? 'dropped' : 'malformed' }
    const step = decoding.readVarUint(decoder)
    if (step === STEP_2 || step === UPDATE) return { kind: 'dropped' }
    if (step !== STEP_1) return { kind: 'malformed' }
    const length = decoding.readVarUint(decoder)
    // The bytes are in a shared pool: a length beyond the message would read other connections' bytes.
    if (length > bytes.length - decoder.pos) return { kind: 'malformed' }
    return readStateVector(decoding.readUint8Array(decoder, length))
  } catch {
    return { kind: 'malformed' }
  }
}

function readStateVector(bytes: Uint8Array): ViewerMessage {
  const decoder = decoding.createDecoder(bytes)
  const count = decoding.readVarUint(decoder)
  if (count > STATE_VECTOR_MAX) return { kind: 'malformed' }
  const vector = new Map<number, number>()
  for (let i = 0; i < count; i++) vector.set(decoding.readVarUint(decoder), decoding.readVarUint(decoder))
  return { kind: 'step1', vector }
}

/** The frame in two parts, so that a whole document is not copied. */
export const updateFrameParts = (update: Uint8Array) => [syncFrameStart(UPDATE, update), update]

/** One message per WebSocket frame, because a stock client reads only the first message of a frame. */
const syncFrame = (step: number, update: Uint8Array) => Buffer.concat([syncFrameStart(step, update), update])

function syncFrameStart(step: number, update: Uint8Array): Buffer {
  const encoder = encoding.createEncoder()
  encoding.writeVarUint(encoder, SYNC)
  encoding.writeVarUint(encoder, step)
  encoding.writeVarUint(encoder, update.length)
  return frameStart('binary', encoding.toUint8Array(encoder), update.length)
}

/** Step 2, the end of the response to a step 1. Stock clients count as synced when they get it. */
export const stateFrame = (update: Uint8Array) => syncFrame(STEP_2, update)

export const updateFrame = (update: Uint8Array) => syncFrame(UPDATE, update)

export const UP_TO_DATE_FRAME = stateFrame(EMPTY_UPDATE)
export const KEEP_ALIVE_FRAME = updateFrame(EMPTY_UPDATE)

export function merge(updates: Uint8Array[]): Uint8Array {
  const [first] = updates
  return updates.length === 1 && first ? first : Y.mergeUpdates(updates)
}

/** What a viewer has: nothing, the log up to `clock`, or something of another log. */
export type SyncProgress = { kind: 'empty' } | { kind: 'at'; clock: number } | { kind: 'lost' }

export function progressOf(
  vector: Map<number, number>,
  document: { client_id: number; clock: number },
): SyncProgress {
  let clock = 0
  for (const [client, at] of vector) {
    if (at === 0) continue
    if (client !== document.client_id || at > document.clock) return { kind: 'lost' }
    clock = at
  }
  return clock === 0 ? { kind: 'empty' } : { kind: 'at', clock }
}
