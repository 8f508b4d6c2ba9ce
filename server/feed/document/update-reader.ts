// Finds the structs of an update without decoding their values. update-writer.ts describes the format.
import * as decoding from 'lib0/decoding'
import { ANY } from './byte-writer.ts'
import {
  type ClockRange,
  CONTENT,
  CONTENT_BITS,
  HAS_AFTER,
  HAS_BEFORE,
  HAS_KEY,
  MAP,
} from './update-writer.ts'

export type Struct = ClockRange & {
  /** Its bytes are `update.subarray(from, to)`. */
  from: number
  to: number
  /** One of `CONTENT`, and where it begins. */
  content: number
  content_at: number
  /**
   * Null for garbage. `parent`: the clock of the map or array it is in, and where its key begins (null: in an array).
   * `neighbour`: the clock of the item before or after it.
   */
  place:
    | { root: string; key: string | null }
    | { parent: number; key_at: number | null }
    | { neighbour: number }
    | null
}

type Update = {
  client_id: number | null
  /** The first struct's clock. */
  clock: number
  structs: Struct[]
  deleted: ClockRange[]
}

/** Throws for anything that channel documents don't contain. `client_id`: null for an update without structs. */
export function readUpdate(bytes: Uint8Array): Update {
  const decoder = decoding.createDecoder(bytes)
  const update: Update = { client_id: null, clock: 0, structs: [], deleted: [] }
  if (readClientCount(decoder) === 1) {
    const count = decoding.readVarUint(decoder)
    update.client_id = decoding.readVarUint(decoder)
    update.clock = decoding.readVarUint(decoder)
    for (let i = 0, clock = update.clock; i < count; i++) {
      const struct = readStruct(decoder, clock)
      update.structs.push(struct)
      clock += struct.length
    }
  }
  update.deleted = readRanges(decoder)
  return update
}

/** The structs in `bytes.subarray(from, to)`. `clock`: of the first. */
export function* readStructs(bytes: Uint8Array, from: number, to: number, clock: number): Generator<Struct> {
  const decoder = decoding.createDecoder(bytes)
  decoder.pos = from
  for (let next = clock; decoder.pos < to; ) {
    const struct = readStruct(decoder, next)
    next += struct.length
    yield struct
  }
}

/** The key at `key_at` of a struct's place. */
export function readKey(bytes: Uint8Array, key_at: number): string {
  return decoding.readVarString(decoderAt(bytes, key_at))
}

/** The values of an item. */
export function readValues(bytes: Uint8Array, content_at: number): unknown[] {
  const decoder = decoderAt(bytes, content_at)
  return Array.from({ length: decoding.readVarUint(decoder) }, () => decoding.readAny(decoder))
}

/** Whether an item holds a map; else it holds an array. */
export const holdsMap = (bytes: Uint8Array, content_at: number) =>
  decoding.readVarUint(decoderAt(bytes, content_at)) === MAP

function decoderAt(bytes: Uint8Array, position: number): decoding.Decoder {
  const decoder = decoding.createDecoder(bytes)
  decoder.pos = position
  return decoder
}

function readClientCount(decoder: decoding.Decoder): number {
  const count = decoding.readVarUint(decoder)
  if (count > 1) throw new Error('a channel’s document has one client')
  return count
}

function readStruct(decoder: decoding.Decoder, clock: number): Struct {
  const from = decoder.pos
  const info = decoding.readUint8(decoder)
  const content = info & CONTENT_BITS
  const place = content === CONTENT.garbage ? null : readPlace(decoder, info)
  const struct: Struct = { clock, length: 1, from, to: 0, content, content_at: decoder.pos, place }
  switch (content) {
    case CONTENT.garbage:
    case CONTENT.deleted:
      struct.length = decoding.readVarUint(decoder)
      break
    case CONTENT.type:
      decoding.readVarUint(decoder)
      break
    case CONTENT.values:
      struct.length = decoding.readVarUint(decoder)
      for (let i = 0; i < struct.length; i++) skipAny(decoder)
      break
    default:
      throw new Error(`a channel’s document has no structs of type ${content}`)
  }
  struct.to = decoder.pos
  return struct
}

function readPlace(decoder: decoding.Decoder, info: number): Struct['place'] {
  const before = info & HAS_BEFORE ? readId(decoder) : null
  const after = info & HAS_AFTER ? readId(decoder) : null
  const neighbour = before ?? after
  if (neighbour !== null) return { neighbour }
  if (decoding.readVarUint(decoder) === 1) {
    const root = decoding.readVarString(decoder)
    return { root, key: info & HAS_KEY ? decoding.readVarString(decoder) : null }
  }
  const parent = readId(decoder)
  if (!(info & HAS_KEY)) return { parent, key_at: null }
  const key_at = decoder.pos
  skipString(decoder)
  return { parent, key_at }
}

function readId(decoder: decoding.Decoder): number {
  decoding.readVarUint(decoder)
  return decoding.readVarUint(decoder)
}

function readRanges(decoder: decoding.Decoder): ClockRange[] {
  const ranges: ClockRange[] = []
  if (readClientCount(decoder) === 0) return ranges
  decoding.readVarUint(decoder)
  for (let count = decoding.readVarUint(decoder); count > 0; count--)
    ranges.push({ clock: decoding.readVarUint(decoder), length: decoding.readVarUint(decoder) })
  return ranges
}

/** Passes over a value without decoding it. */
function skipAny(decoder: decoding.Decoder): void {
  switch (decoding.readUint8(decoder)) {
    case ANY.integer:
      decoding.readVarInt(decoder)
      break
    case ANY.float32:
      decoder.pos += 4
      break
    case ANY.float64:
      decoder.pos += 8
      break
    case ANY.string:
      skipString(decoder)
      break
    case ANY.array:
      for (let count = decoding.readVarUint(decoder); count > 0; count--) skipAny(decoder)
      break
    case ANY.object:
      for (let count = decoding.readVarUint(decoder); count > 0; count--) {
        skipString(decoder)
        skipAny(decoder)
      }
      break
    case ANY.undefined:
    case ANY.null:
    case ANY.false:
    case ANY.true:
      break
    default:
      throw new Error('a channel’s document has no values of this type')
  }
}

function skipString(decoder: decoding.Decoder): void {
  const length = decoding.readVarUint(decoder)
  decoder.pos += length
}
