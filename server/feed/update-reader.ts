// Reads where the structs of an update are, without decoding their values. update-writer.ts describes the format.
import * as decoding from 'lib0/decoding'
import { CONTENT, CONTENT_BITS, HAS_AFTER, HAS_BEFORE, HAS_KEY, type Range } from './update-writer.ts'

export type Struct = Range & {
  /** Where its bytes begin and end in the update. */
  from: number
  to: number
  /** Null for garbage. `neighbour`: the clock of the item before or after it. */
  place: { root: string; key: string | null } | { parent: number } | { neighbour: number } | null
  /** Of an item with one number. */
  number: number | null
}

/** Throws for anything that channel documents don't contain. */
export function readUpdate(update: Uint8Array): { clock: number; structs: Struct[]; deleted: Range[] } {
  const decoder = decoding.createDecoder(update)
  const structs: Struct[] = []
  let first = 0
  if (decoding.readVarUint(decoder) === 1) {
    const count = decoding.readVarUint(decoder)
    decoding.readVarUint(decoder)
    first = decoding.readVarUint(decoder)
    for (let i = 0, clock = first; i < count; i++) {
      const struct = readStruct(decoder, clock)
      structs.push(struct)
      clock += struct.length
    }
  }
  return { clock: first, structs, deleted: readRanges(decoder) }
}

function readStruct(decoder: decoding.Decoder, clock: number): Struct {
  const from = decoder.pos
  const info = decoding.readUint8(decoder)
  const place = (info & CONTENT_BITS) === CONTENT.garbage ? null : readPlace(decoder, info)
  const struct: Struct = { clock, length: 1, from, to: 0, place, number: null }
  switch (info & CONTENT_BITS) {
    case CONTENT.garbage:
    case CONTENT.deleted:
      struct.length = decoding.readVarUint(decoder)
      break
    case CONTENT.type:
      decoding.readVarUint(decoder)
      break
    case CONTENT.values:
      struct.length = decoding.readVarUint(decoder)
      if (struct.length === 1) struct.number = readNumber(decoder)
      else for (let i = 0; i < struct.length; i++) skipAny(decoder)
      break
    default:
      throw new Error(`a channel’s document has no structs of type ${info & CONTENT_BITS}`)
  }
  struct.to = decoder.pos
  return struct
}

function readPlace(decoder: decoding.Decoder, info: number): Struct['place'] {
  let neighbour: number | null = null
  if (info & HAS_AFTER && !(info & HAS_BEFORE)) neighbour = readId(decoder)
  if (info & HAS_BEFORE) {
    neighbour = readId(decoder)
    if (info & HAS_AFTER) readId(decoder)
  }
  if (neighbour !== null) return { neighbour }
  const root = decoding.readVarUint(decoder) === 1 ? decoding.readVarString(decoder) : null
  const parent = root === null ? readId(decoder) : 0
  if (root === null) {
    if (info & HAS_KEY) skipString(decoder)
    return { parent }
  }
  return { root, key: info & HAS_KEY ? decoding.readVarString(decoder) : null }
}

function readId(decoder: decoding.Decoder): number {
  decoding.readVarUint(decoder)
  return decoding.readVarUint(decoder)
}

function readRanges(decoder: decoding.Decoder): Range[] {
  const ranges: Range[] = []
  if (decoding.readVarUint(decoder) === 0) return ranges
  decoding.readVarUint(decoder)
  for (let count = decoding.readVarUint(decoder); count > 0; count--)
    ranges.push({ clock: decoding.readVarUint(decoder), length: decoding.readVarUint(decoder) })
  return ranges
}

/** The types of lib0's `writeAny`, from 116 (bytes) to 127 (undefined). */
const ANY = {
  integer: 125,
  float32: 124,
  float64: 123,
  bigint: 122,
  string: 119,
  object: 118,
  array: 117,
  bytes: 116,
}

function readNumber(decoder: decoding.Decoder): number | null {
  if (decoder.arr[decoder.pos] === ANY.integer) return Number(decoding.readAny(decoder))
  skipAny(decoder)
  return null
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
    case ANY.bigint:
      decoder.pos += 8
      break
    case ANY.string:
    case ANY.bytes:
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
  }
}

function skipString(decoder: decoding.Decoder): void {
  const length = decoding.readVarUint(decoder)
  decoder.pos += length
}
