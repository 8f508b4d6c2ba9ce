// A document's bytes, cut where its structs begin to belong to another page.
import { type ClockRange, lastBeginning } from './clock-ranges.ts'
import { compact, type Run } from './compact.ts'
import type { Struct } from './update-reader.ts'
import { UpdateWriter } from './update-writer.ts'

/** Neighbouring structs of one update that belong to the same page, or to none; or garbage, also of several updates. */
export type Segment = Run & { page: number | null }
type Encoded = Segment & { update: Uint8Array }

/** Up to this many are searched about as fast as one. */
const FEW = 32

export class SegmentList {
  /** In the order of their clocks, without gaps. */
  #list: Segment[] = []

  ofPage(page: number | null): Encoded[] {
    const segments = []
    for (const segment of this.#list) if (segment.page === page && hasBytes(segment)) segments.push(segment)
    return segments
  }

  *newestFirst(): Generator<Segment> {
    for (let i = this.#list.length - 1; i >= 0; i--) {
      const segment = this.#list[i]
      if (segment) yield segment
    }
  }

  get bytes(): number {
    return this.#list.reduce((sum, { from, to }) => sum + to - from, 0)
  }

  /** How much each page has; null: of what belongs to no page. */
  byPage(unit: 'bytes' | 'structs'): Map<number | null, number> {
    const sums = new Map<number | null, number>()
    for (const { page, from, to, structs } of this.#list)
      sums.set(page, (sums.get(page) ?? 0) + (unit === 'bytes' ? to - from : structs))
    return sums
  }

  push(segment: Segment): void {
    this.#list.push(segment)
  }

  addStruct(page: number | null, update: Uint8Array, { clock, length, from, to }: Struct): void {
    const last = this.#list.at(-1)
    if (last?.update === update && last.page === page) {
      last.length += length
      last.structs++
      last.to = to
    } else {
      this.#list.push({ page, clock, length, structs: 1, update, from, to })
    }
  }

  /** The page of the struct at `clock`. */
  pageAt(clock: number): number | null {
    return lastBeginning(this.#list, clock)?.page ?? null
  }

  /** Replaces the structs of these pages by garbage of the same length. Returns their clocks. */
  archive(pages: Set<number>): ClockRange[] {
    const deleted: ClockRange[] = []
    const segments: Segment[] = []
    for (const segment of this.#list) {
      const { page, clock, length, update } = segment
      const isArchived = page !== null && pages.has(page)
      if (isArchived) deleted.push({ clock, length })
      if (isArchived || !update) addGarbage(segments, segment)
      else segments.push(withOwnBytes(segment))
    }
    this.#list = segments
    return deleted
  }

  /** Joins neighbours of the same page, so that there are few, and the updates that they were cut from can be freed. */
  join(): void {
    if (this.#list.length <= FEW) return
    const joined: Segment[] = []
    let run: Encoded[] = []
    const endRun = () => {
      const [only] = run
      if (only) joined.push(run.length === 1 ? only : joinRun(run))
      run = []
    }
    for (const segment of this.#list) {
      if (run[0]?.page !== segment.page) endRun()
      if (hasBytes(segment)) run.push(segment)
      else {
        endRun()
        joined.push(segment)
      }
    }
    endRun()
    this.#list = joined
  }

  /** All as one update. `stale`: what the structs in `deleted` held is left out. */
  encode(client_id: number, deleted: ClockRange[], stale: boolean): Uint8Array<ArrayBuffer> {
    if (stale) return compact(client_id, this.#list, deleted)
    const writer = new UpdateWriter(client_id, 0)
    for (const { update, from, to, structs, length } of this.#list) {
      if (update) writer.encoded(update.subarray(from, to), structs, length)
      else writer.garbage(length)
    }
    return writer.finish(deleted)
  }
}

const hasBytes = (segment: Segment): segment is Encoded => segment.update !== null

/** `run`: at least one, all of the same page. */
function joinRun(run: Encoded[]): Segment {
  const update = Buffer.concat(run.map(({ update, from, to }) => update.subarray(from, to)))
  const sum = (unit: 'length' | 'structs') => run.reduce((sum, segment) => sum + segment[unit], 0)
  const { page, clock } = run[0] ?? { page: null, clock: 0 }
  return { page, clock, update, from: 0, to: update.length, length: sum('length'), structs: sum('structs') }
}

function addGarbage(segments: Segment[], { clock, length }: ClockRange): void {
  const last = segments.at(-1)
  if (last && !last.update) last.length += length
  else segments.push({ page: null, clock, length, structs: 1, update: null, from: 0, to: 0 })
}

/** Structs of no page stay when their update's cards leave. Their own copy lets the update's other bytes be freed. */
function withOwnBytes(segment: Segment): Segment {
  const { page, update, from, to } = segment
  if (page !== null || !update || to - from === update.length) return segment
  return { ...segment, update: update.slice(from, to), from: 0, to: to - from }
}
