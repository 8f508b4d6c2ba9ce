// The maps and arrays of one part of a document, as they are now: found by reading its structs, and changed by writing
// some. update-writer.ts explains structs and clocks. One client writes everything, so the item that was last written at a
// map's key holds its value, unless it was deleted.
import { holdsMap, NONE, readKey, readValues, type Struct } from './update-reader.ts'
import { CONTENT, type UpdateWriter } from './update-writer.ts'

type Holder = EncodedMap | EncodedArray

/** What a map has at a key, or a run of an array's elements. */
type Item = {
  /** Of its last value: what comes after it names this clock. */
  clock: number
  parent: Holder
  key: string | null
  deleted: boolean
  bytes: Uint8Array
  content_at: number
  /** The map or array that it holds; null: it holds values. */
  holds: Holder | null
}

/** Changes the document that the contents are a part of. */
export type Changes = {
  /** Runs `work`, which writes structs. */
  write(work: (writer: UpdateWriter) => void): void
  /** Deletes the item at `clock`, with all that it holds. */
  delete(clock: number): void
}

export class Contents {
  readonly changes: Changes
  /** Of a page, only the card with this id is read, as bytes; null: everything is. */
  readonly #only: Uint8Array | null
  readonly #holders = new Map<string | number, Holder>()
  /** By the clock of their last value. */
  readonly #items = new Map<number, Item>()
  #page: Holder | null = null

  constructor(changes: Changes, only: Uint8Array | null = null) {
    this.changes = changes
    this.#only = only
  }

  /** The number of items in memory. */
  get size(): number {
    return this.#items.size
  }

  root(name: string): EncodedMap {
    const root = this.#holders.get(name)
    if (root instanceof EncodedMap) return root
    const map = new EncodedMap(this, name)
    this.#holders.set(name, map)
    return map
  }

  /** Structs come in the order of their clocks. What is in a deleted map or array is passed over. */
  read(bytes: Uint8Array, struct: Struct, isDeleted: (clock: number) => boolean): void {
    const { root, parent: parent_clock, neighbour, key_at, clock, content, content_at } = struct
    const before = neighbour === NONE ? undefined : this.#items.get(neighbour)
    const parent = before?.parent ?? (root === null ? this.#holders.get(parent_clock) : this.root(root))
    if (!parent || (this.#only && parent === this.#page && !before && !isKey(bytes, key_at, this.#only)))
      return
    const key = before ? before.key : key_at === NONE ? null : readKey(bytes, key_at)
    const deleted = content === CONTENT.deleted || isDeleted(clock)
    const last = clock + struct.length - 1
    const item: Item = { clock: last, parent, key, deleted, bytes, content_at, holds: null }
    if (deleted) parent.tombstones++
    else if (content === CONTENT.type) item.holds = this.#hold(item, clock)
    this.#items.set(last, item)
    parent.items.set(key ?? last, item)
  }

  delete(item: Item): void {
    if (item.deleted) return
    item.deleted = true
    item.parent.tombstones++
    this.changes.delete(item.clock)
  }

  #hold({ parent, bytes, content_at }: Item, clock: number): Holder {
    const holder = holdsMap(bytes, content_at) ? new EncodedMap(this, clock) : new EncodedArray(this, clock)
    this.#holders.set(clock, holder)
    if (parent.id === 'pages') this.#page = holder
    return holder
  }
}

/** Whether the key that begins at `key_at` has these bytes. */
function isKey(bytes: Uint8Array, key_at: number, key: Uint8Array): boolean {
  // An id is short, so its length is one byte.
  return bytes[key_at] === key.length && key.every((byte, i) => bytes[key_at + 1 + i] === byte)
}

/** A map with the methods of a `Y.Map` that documents need. */
export class EncodedMap {
  /** Of a root, its name; else the clock of the item that holds the map. */
  readonly id: string | number
  /** Its items that were deleted or overwritten. Yjs keeps each until the map itself is replaced. */
  tombstones = 0
  /** By key. They may be deleted. */
  readonly items = new Map<string | number, Item>()
  readonly #contents: Contents

  constructor(contents: Contents, id: string | number) {
    this.#contents = contents
    this.id = id
  }

  has(key: string): boolean {
    return this.#live(key) !== undefined
  }

  /** A JSON value, a map or an array; undefined if there is none. */
  get(key: string): unknown {
    const item = this.#live(key)
    return item && contentOf(item)
  }

  getMap(key: string): EncodedMap | undefined {
    const holds = this.#live(key)?.holds
    return holds instanceof EncodedMap ? holds : undefined
  }

  *keys(): Generator<string> {
    for (const [key, { deleted }] of this.items) if (!deleted) yield String(key)
  }

  *values(): Generator<unknown> {
    for (const item of this.items.values()) if (!item.deleted) yield contentOf(item)
  }

  /** `value`: a JSON value. */
  set(key: string, value: unknown): void {
    const before = this.items.get(key)
    this.#put(before, writer =>
      before ? writer.replacement(before.clock, value) : writer.value(this.id, key, value),
    )
  }

  /** Sets an empty map, and returns it. */
  setMap(key: string): EncodedMap {
    const before = this.items.get(key)
    this.#put(before, writer => (before ? writer.mapReplacement(before.clock) : writer.map(this.id, key)))
    const map = this.getMap(key)
    if (!map) throw new Error('a map was set, and is not there')
    return map
  }

  /** Sets an array of JSON values. The map was just set, so it has nothing at the key. */
  setArray(key: string, values: unknown[]): void {
    this.#contents.changes.write(writer => {
      const array = writer.array(this.id, key)
      if (values.length > 0) writer.elements(array, values)
    })
  }

  delete(key: string): void {
    const item = this.items.get(key)
    if (item) this.#contents.delete(item)
  }

  #put(before: Item | undefined, write: (writer: UpdateWriter) => void): void {
    if (before) this.#contents.delete(before)
    this.#contents.changes.write(write)
  }

  #live(key: string): Item | undefined {
    const item = this.items.get(key)
    return item?.deleted ? undefined : item
  }
}

/** An array that only grows. */
export class EncodedArray {
  readonly id: number
  tombstones = 0
  /** By the clocks of their last elements. */
  readonly items = new Map<string | number, Item>()
  readonly #contents: Contents

  constructor(contents: Contents, id: number) {
    this.#contents = contents
    this.id = id
  }

  toArray(): unknown[] {
    return [...this.items.values()].flatMap(({ bytes, content_at }) => readValues(bytes, content_at))
  }

  /** `values`: JSON values, at least one. */
  push(values: unknown[]): void {
    const last = [...this.items.values()].at(-1)
    this.#contents.changes.write(writer =>
      last ? writer.moreElements(last.clock, values) : writer.elements(this.id, values),
    )
  }
}

function contentOf({ holds, bytes, content_at }: Item): unknown {
  return holds ?? readValues(bytes, content_at)[0]
}
