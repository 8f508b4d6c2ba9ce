// Undo and redo for one value.
import { createSignal } from 'solid-js'

const STEPS_MAX = 300
/** Undo takes back a word, not its letters. */
const JOIN_MS = 900

/** `clock` is in milliseconds. */
export function createHistory<T>(first: T, clock: () => number = Date.now) {
  const [line, setLine] = createSignal({ steps: [first], at: 0 })
  let last: { kind: string; at: number } | null = null

  /** Changes of one `kind` in quick succession are one step. Without a kind each change is a step. */
  function set(next: T, kind?: string): void {
    const time = clock()
    const joins = kind !== undefined && last?.kind === kind && time - last.at < JOIN_MS
    last = kind === undefined ? null : { kind, at: time }
    setLine(({ steps, at }) => {
      const past = steps.slice(0, joins ? at : at + 1).slice(-STEPS_MAX)
      return { steps: [...past, next], at: past.length }
    })
  }

  function move(by: number): void {
    last = null
    setLine(({ steps, at }) => ({ steps, at: Math.max(0, Math.min(steps.length - 1, at + by)) }))
  }

  return {
    now: () => line().steps[line().at] ?? first,
    canUndo: () => line().at > 0,
    canRedo: () => line().at < line().steps.length - 1,
    set,
    correct: (fix: (step: T) => T) => setLine(({ steps, at }) => ({ steps: steps.map(fix), at })),
    undo: () => move(-1),
    redo: () => move(1),
  }
}
