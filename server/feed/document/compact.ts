// Removes what was overwritten or deleted from a document's bytes, as Yjs does when it collects garbage. An item whose
// map or array still exists keeps its place without its content, because a later item may name it. What was in a deleted
// map or array becomes garbage. update-writer.ts explains structs, clocks and garbage.
import { type ClockRange, mergeRanges, rangesFinder } from './clock-ranges.ts'
import { NONE, type Struct, visitStructs } from './update-reader.ts'
import { CONTENT, UpdateWriter } from './update-writer.ts'

/** Neighbouring structs; garbage if `update` is null. */
export type Run = ClockRange & { update: Uint8Array | null; structs: number; from: number; to: number }

/** In the order of their clocks, without gaps. */
export function compact(client_id: number, runs: Run[], deleted: ClockRange[]): Uint8Array<ArrayBuffer> {
  const compaction = new Compaction(client_id, runs[0]?.clock ?? 0, deleted)
  for (const run of runs) {
    const { update } = run
    if (update) visitStructs({ ...run, update }, struct => compaction.add(update, struct))
    else compaction.garbage(run)
  }
  return compaction.finish()
}

/** What is written next: structs that stay as they are, or one that takes the place of others. */
type Pending =
  | { kind: 'copy'; bytes: Uint8Array; from: number; to: number; structs: number; length: number }
  | { kind: 'deleted'; info: number; place: Uint8Array; last: number; length: number }
  | { kind: 'garbage'; length: number }

class Compaction {
  readonly #writer: UpdateWriter
  readonly #isDeleted: (clock: number) => boolean
  readonly #gone: ClockRange[]
  /** Maps and arrays that were deleted, and what was in them, by the clocks of their items. */
  readonly #dead = new Set<number>()
  readonly #orphans = new Set<number>()
  #pending: Pending | null = null

  constructor(client_id: number, clock: number, deleted: ClockRange[]) {
    this.#writer = new UpdateWriter(client_id, clock)
    this.#gone = [...deleted]
    this.#isDeleted = rangesFinder(deleted)
  }

  garbage({ clock, length }: ClockRange): void {
    this.#gone.push({ clock, length })
    if (this.#pending?.kind === 'garbage') this.#pending.length += length
    else this.#begin({ kind: 'garbage', length })
  }

  finish(): Uint8Array<ArrayBuffer> {
    this.#flush()
    return this.#writer.finish(mergeRanges(this.#gone))
  }

  add(bytes: Uint8Array, struct: Struct): void {
    const { clock, length, content, parent, neighbour } = struct
    const orphan = neighbour === NONE ? this.#dead.has(parent) : this.#orphans.has(neighbour)
    if (orphan) this.#orphans.add(clock + length - 1)
    const deleted = orphan || content === CONTENT.deleted || this.#isDeleted(clock)
    if (deleted && content === CONTENT.type) this.#dead.add(clock)
    if (content === CONTENT.garbage || orphan) this.garbage(struct)
    else if (deleted) this.#delete(bytes, struct)
    else this.#keep(bytes, struct)
  }

  #keep(bytes: Uint8Array, { from, to, length }: Struct): void {
    const pending = this.#pending
    if (pending?.kind === 'copy' && pending.bytes === bytes && pending.to === from) {
      pending.to = to
      pending.structs++
      pending.length += length
    } else this.#begin({ kind: 'copy', bytes, from, to, structs: 1, length })
  }

  #delete(bytes: Uint8Array, { clock, length, from, content_at, neighbour }: Struct): void {
    const last = clock + length - 1
    this.#gone.push({ clock, length })
    const pending = this.#pending
    if (pending?.kind === 'deleted' && neighbour === pending.last) {
      pending.length += length
      pending.last = last
      return
    }
    const info = bytes[from] ?? 0
    this.#begin({ kind: 'deleted', info, place: bytes.subarray(from + 1, content_at), last, length })
  }

  #begin(next: Pending): void {
    this.#flush()
    this.#pending = next
  }

  #flush(): void {
    const pending = this.#pending
    if (pending?.kind === 'garbage') this.#writer.garbage(pending.length)
    else if (pending?.kind === 'deleted') this.#writer.deleted(pending.info, pending.place, pending.length)
    else if (pending)
      this.#writer.encoded(pending.bytes.subarray(pending.from, pending.to), pending.structs, pending.length)
    this.#pending = null
  }
}
