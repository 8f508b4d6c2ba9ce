// What was, so that every change can be taken back, and brought again.
import { createSignal } from 'solid-js'

const STEPS_MAX = 300
/** Changes of one kind that follow each other within this time are one step: a word, not its letters. */
const JOIN_MS = 900

type Line<T> = { past: T[]; now: T; future: T[] }

export type History<T> = ReturnType<typeof createHistory<T>>

/** `clock` is milliseconds. */
export function createHistory<T>(first: T, clock: () => number = Date.now) {
  const [line, setLine] = createSignal<Line<T>>({ past: [], now: first, future: [] })
  let last: { kind: string; at: number } | null = null

  /** Changes of one `kind` may become one step; without it a change stands for itself. */
  function set(next: T, kind?: string): void {
    const at = clock()
    const joins = kind !== undefined && last?.kind === kind && at - last.at < JOIN_MS
    last = kind === undefined ? null : { kind, at }
    setLine(({ past, now }) => ({
      past: joins ? past : [...past, now].slice(-STEPS_MAX),
      now: next,
      future: [],
    }))
  }

  function undo(): void {
    last = null
    setLine(line => {
      const before = line.past.at(-1)
      if (before === undefined) return line
      return { past: line.past.slice(0, -1), now: before, future: [line.now, ...line.future] }
    })
  }

  function redo(): void {
    last = null
    setLine(line => {
      const [after, ...rest] = line.future
      if (after === undefined) return line
      return { past: [...line.past, line.now], now: after, future: rest }
    })
  }

  /** What is known better by now, in every step. */
  function correct(right: (step: T) => T): void {
    setLine(({ past, now, future }) => ({
      past: past.map(right),
      now: right(now),
      future: future.map(right),
    }))
  }

  return {
    now: () => line().now,
    canUndo: () => line().past.length > 0,
    canRedo: () => line().future.length > 0,
    set,
    correct,
    undo,
    redo,
  }
}
