// The signals of the card builder: the card, its problems, its history, and the announcement.
import { createMemo, createSignal } from 'solid-js'
import type { Path } from '../../shared/invalid.ts'
import { blocksOf } from './card-value.ts'
import { type CardText, type Composition, compositionOf, EMPTY } from './composition.ts'
import { createHistory } from './history.ts'
import type { TextRange } from './json-positions.ts'
import { type Problem, parseCard } from './parse-card.ts'

/** If `silent`, only for screen readers. `at` is in milliseconds. */
export type Announcement = { text: string; undo: boolean; silent: boolean; at: number }

export type BuilderState = ReturnType<typeof createBuilderState>

export function createBuilderState(first: CardText) {
  const history = createHistory(compositionOf(first))
  const [announcement, setAnnouncement] = createSignal<Announcement>()
  const [revealed, reveal] = createSignal<TextRange>()
  const [examplesShown, showExamples] = createSignal(false)
  const { now } = history
  const text = createMemo(() => now().text)
  const card = createMemo(() => now().card)
  const parsed = createMemo(() => parseCard(text()))
  const blocks = createMemo(() => blocksOf(now().value))
  const problems = (): Problem[] => parsed().problems

  function apply(next: Composition, kind?: string): void {
    // The button of the announcement would undo this step instead of the announced one.
    if (announcement()?.undo) setAnnouncement(undefined)
    history.set(next, kind)
  }

  function announce(text: string, { undo = false, silent = false } = {}): void {
    setAnnouncement({ text, undo, silent, at: Date.now() })
  }

  function undo(): void {
    if (!history.canUndo()) return
    history.undo()
    setAnnouncement(undefined)
  }

  return {
    now,
    text,
    card,
    value: () => now().value,
    blocks,
    problems,
    /** Includes the problems of the fields inside. */
    problemsAt: (path: Path) =>
      problems().filter(problem => path.every((part, i) => problem.path[i] === part)),
    /** The syntax error, if the text isn't JSON. */
    malformed: () => {
      const { state, problems } = parsed()
      return state === 'malformed' ? problems[0] : undefined
    },
    isEmpty: () => text() === EMPTY.text && card() === null,
    apply,
    correct: history.correct,
    canUndo: history.canUndo,
    canRedo: history.canRedo,
    undo,
    redo: history.redo,
    announcement,
    announce,
    dismiss: () => setAnnouncement(undefined),
    /** The part of the text that the JSON editor selects next. */
    revealed,
    reveal,
    examplesShown,
    showExamples,
  }
}
