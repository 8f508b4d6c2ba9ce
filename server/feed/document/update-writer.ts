// Yjs's update format, version 1, as far as channel documents use it: one client, maps, arrays and plain values.
// https://github.com/yjs/yjs/blob/v13/src/utils/encoding.js defines it.
//
//   update    = 1 (clients), number of structs, client id, clock of the first struct, structs, deleted ranges
//   struct    = item | garbage
//   item      = info byte, [id of the item before it], [id of the item after it], [parent, key], content
//   garbage   = 0, length
//   ranges    = 0 | 1 (clients), client id, number of ranges, then clock and length of each
//
// Numbers have a variable length. A struct's id is its client id and clock. An item is a map or an array (one clock) or
// values (one clock each). A client's clocks have no gaps: garbage takes the clocks of items that were removed. An item
// names its parent and key only if it names no item before or after it. A parent is the name of a root, or the id of the
// item that is the map or array.
import { ByteWriter } from './byte-writer.ts'
import { type ClockRange, mergeRanges } from './clock-ranges.ts'

export const CONTENT = { garbage: 0, deleted: 1, type: 7, values: 8 }
export const CONTENT_BITS = 0x1f
export const HAS_KEY = 0x20
export const HAS_AFTER = 0x40
export const HAS_BEFORE = 0x80
const ARRAY = 0
export const MAP = 1

/** A root's name, or the clock of the item that holds the map or array. */
type Parent = string | number

/** Neighbouring structs of one page of cards, or of none (null). Their bytes are `update.subarray(from, to)`. */
export type Part = ClockRange & { page: number | null; structs: number; from: number; to: number }

/** Writes an update struct by struct. The methods that write a struct return its clock. */
export class UpdateWriter {
  readonly #client_id: number
  readonly #first_clock: number
  readonly #bytes = new ByteWriter()
  /** `finish` moves their bounds to where their bytes are in the update. */
  readonly parts: Part[] = []
  #structs = 0
  #structs_in_parts = 0
  /** The clock of the next struct. */
  clock: number

  constructor(client_id: number, clock: number) {
    this.#client_id = client_id
    this.#first_clock = clock
    this.clock = clock
  }

  /** What was written so far, without the header. Later writes leave its bytes as they are. */
  get written(): Uint8Array {
    return this.#bytes.written
  }

  /** Ends a part: all structs since the last one. */
  endPart(page: number | null): void {
    const last = this.parts.at(-1)
    const from = last?.to ?? 0
    const clock = last ? last.clock + last.length : this.#first_clock
    const structs = this.#structs - this.#structs_in_parts
    const part = { page, clock, length: this.clock - clock, structs, from, to: this.#bytes.written.length }
    this.#structs_in_parts = this.#structs
    if (last?.page === page) {
      last.length += part.length
      last.structs += part.structs
      last.to = part.to
    } else this.parts.push(part)
  }

  map(parent: Parent, key: string): number {
    return this.#type(parent, key, MAP)
  }

  array(parent: Parent, key: string): number {
    return this.#type(parent, key, ARRAY)
  }

  value(parent: Parent, key: string, value: unknown): number {
    this.#info(CONTENT.values | HAS_KEY)
    this.#parent(parent)
    this.#bytes.string(key)
    return this.#values([value])
  }

  /** The first elements of an array, at least one. */
  elements(parent: Parent, values: unknown[]): number {
    this.#info(CONTENT.values)
    this.#parent(parent)
    return this.#values(values)
  }

  /** Replaces the value of a map's key. `clock`: the item with the value so far. */
  replacement(clock: number, value: unknown): number {
    this.#info(CONTENT.values | HAS_KEY | HAS_BEFORE)
    this.#id(clock)
    return this.#values([value])
  }

  /** Replaces the value of a map's key by an empty map. `clock`: the item with the value so far. */
  mapReplacement(clock: number): number {
    this.#info(CONTENT.type | HAS_KEY | HAS_BEFORE)
    this.#id(clock)
    this.#bytes.varUint(MAP)
    return this.#advance(1)
  }

  /** Adds elements to an array that has some. `clock`: of its last element. */
  moreElements(clock: number, values: unknown[]): number {
    this.#info(CONTENT.values | HAS_BEFORE)
    this.#id(clock)
    return this.#values(values)
  }

  /** An item whose content was deleted. `info`: its first byte. `place`: the bytes between that and its content. */
  deleted(info: number, place: Uint8Array, length: number): number {
    this.#info((info & ~CONTENT_BITS) | CONTENT.deleted)
    this.#bytes.bytes(place)
    this.#bytes.varUint(length)
    return this.#advance(length)
  }

  garbage(length: number): number {
    this.#info(CONTENT.garbage)
    this.#bytes.varUint(length)
    return this.#advance(length)
  }

  /** Copies neighbouring structs that are already encoded. `structs`: how many. `length`: how many clocks they take. */
  encoded(bytes: Uint8Array, structs: number, length: number): number {
    this.#bytes.bytes(bytes)
    this.#structs += structs - 1
    return this.#advance(length)
  }

  /** Returns the update. `deleted`: in any order; may overlap. */
  finish(deleted: ClockRange[]): Uint8Array<ArrayBuffer> {
    this.#ranges(mergeRanges(deleted))
    const header = new ByteWriter()
    for (const number of [1, this.#structs, this.#client_id, this.#first_clock]) header.varUint(number)
    const start = header.written.length
    const update = new Uint8Array(start + this.#bytes.written.length)
    update.set(header.written)
    update.set(this.#bytes.written, start)
    for (const part of this.parts) {
      part.from += start
      part.to += start
    }
    return update
  }

  #ranges(ranges: ClockRange[]): void {
    this.#bytes.varUint(ranges.length === 0 ? 0 : 1)
    if (ranges.length === 0) return
    this.#bytes.varUint(this.#client_id)
    this.#bytes.varUint(ranges.length)
    for (const { clock, length } of ranges) {
      this.#bytes.varUint(clock)
      this.#bytes.varUint(length)
    }
  }

  #type(parent: Parent, key: string, type: number): number {
    this.#info(CONTENT.type | HAS_KEY)
    this.#parent(parent)
    this.#bytes.string(key)
    this.#bytes.varUint(type)
    return this.#advance(1)
  }

  #values(values: unknown[]): number {
    this.#bytes.varUint(values.length)
    for (const value of values) this.#bytes.any(value)
    return this.#advance(values.length)
  }

  #info(info: number): void {
    this.#bytes.uint8(info)
  }

  #parent(parent: Parent): void {
    this.#bytes.varUint(typeof parent === 'string' ? 1 : 0)
    if (typeof parent === 'string') this.#bytes.string(parent)
    else this.#id(parent)
  }

  #id(clock: number): void {
    this.#bytes.varUint(this.#client_id)
    this.#bytes.varUint(clock)
  }

  #advance(length: number): number {
    const clock = this.clock
    this.clock += length
    this.#structs++
    return clock
  }
}
