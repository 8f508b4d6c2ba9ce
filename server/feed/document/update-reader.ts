// Finds the structs of an update without decoding their values. update-writer.ts describes the format.
import * as decoding from 'lib0/decoding'
import { ANY } from './byte-writer.ts'
import type { ClockRange } from './clock-ranges.ts'
import { CONTENT, CONTENT_BITS, HAS_AFTER, HAS_BEFORE, HAS_KEY, MAP } from './update-writer.ts'

export type Struct = ClockRange & {
  /** Its bytes are `update.subarray(from, to)`. */
  from: number
  to: number
  /** One of `CONTENT`, and where it begins. */
  content: number
  content_at: number
  /** The name of the root that an item is in, else null. */
  root: string | null
  /** The clock of the map or array that an item is in, or of the item before or after it, else NONE. */
  parent: number
  neighbour: number
  /** Where the key of an item in a root or `parent` begins, else NONE. */
  key_at: number
}

/** No clock and no position. */
export const NONE = -1

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
      const struct = emptyStruct(clock)
      readStruct(decoder, struct)
      update.structs.push(struct)
      clock += struct.length
    }
  }
  update.deleted = readRanges(decoder)
  return update
}

/** Neighbouring structs. `clock`: of the first. */
export type Stretch = { update: Uint8Array; from: number; to: number; clock: number }

/** Visits the structs one after another. The object is the same each time: a page has a thousand. */
export function visitStructs({ update, from, to, clock }: Stretch, visit: (struct: Struct) => void): void {
  const decoder = decoderAt(update, from)
  const struct = emptyStruct(clock)
  while (decoder.pos < to) {
    readStruct(decoder, struct)
    visit(struct)
    struct.clock += struct.length
  }
}

/** The key that begins at `key_at`. */
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

function emptyStruct(clock: number): Struct {
  const nowhere = { root: null, parent: NONE, neighbour: NONE, key_at: NONE }
  return { clock, length: 1, from: 0, to: 0, content: 0, content_at: 0, ...nowhere }
}

/** Sets all but the clock. */
function readStruct(decoder: decoding.Decoder, struct: Struct): void {
  struct.from = decoder.pos
  const info = decoding.readUint8(decoder)
  struct.content = info & CONTENT_BITS
  struct.length = 1
  readPlace(decoder, info, struct)
  struct.content_at = decoder.pos
  switch (struct.content) {
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
      throw new Error(`a channel’s document has no structs of type ${struct.content}`)
  }
  struct.to = decoder.pos
}

function readPlace(decoder: decoding.Decoder, info: number, struct: Struct): void {
  struct.root = null
  struct.parent = NONE
  struct.neighbour = NONE
  struct.key_at = NONE
  if (struct.content === CONTENT.garbage) return
  if (info & HAS_BEFORE) struct.neighbour = readId(decoder)
  if (info & HAS_AFTER) {
    const after = readId(decoder)
    if (struct.neighbour === NONE) struct.neighbour = after
  }
  if (struct.neighbour !== NONE) return
  if (decoding.readVarUint(decoder) === 1) struct.root = decoding.readVarString(decoder)
  else struct.parent = readId(decoder)
  if (!(info & HAS_KEY)) return
  struct.key_at = decoder.pos
  skipString(decoder)
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
