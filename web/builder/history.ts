// Undo and redo for one value.
import { createSignal } from 'solid-js'

const STEPS_MAX = 300
/** Undo takes back a word, not its letters. */
const JOIN_MS = 900

type Line<T> = { past: T[]; now: T; future: T[] }

/** `clock` is in milliseconds. */
export function createHistory<T>(first: T, clock: () => number = Date.now) {
  const [line, setLine] = createSignal<Line<T>>({ past: [], now: first, future: [] })
  let last: { kind: string; at: number } | null = null

  /** Changes of one `kind` in quick succession are one step. Without a kind each change is a step. */
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
      const { past, now, future } = line
      const before = past.at(-1)
      return before === undefined ? line : { past: past.slice(0, -1), now: before, future: [now, ...future] }
    })
  }

  function redo(): void {
    last = null
    setLine(line => {
      const [after, ...future] = line.future
      return after === undefined ? line : { past: [...line.past, line.now], now: after, future }
    })
  }

  function correct(fix: (step: T) => T): void {
    setLine(({ past, now, future }) => ({ past: past.map(fix), now: fix(now), future: future.map(fix) }))
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
