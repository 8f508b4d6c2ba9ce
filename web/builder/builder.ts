// The card builder's state and everything that changes it, except the server. Every change can be undone.
import type { Card } from '../../shared/card.ts'
import type { Path } from '../../shared/invalid.ts'
import { createRequiredContext } from '../lib/required-context.ts'
import { createBlockEditing } from './block-editing.ts'
import { createBuilderState } from './builder-state.ts'
import {
  type CardText,
  cardTextOf,
  compositionOf,
  EMPTY,
  withField,
  withQuestionsOf,
  withText,
  withValue,
} from './composition.ts'

export type Builder = ReturnType<typeof createBuilder>

export function createBuilder(first: CardText) {
  const state = createBuilderState(first)
  const { now, apply, announce } = state
  const editing = createBlockEditing(state)

  function replace(next: CardText, message: string): void {
    apply(compositionOf(next))
    editing.setOpenKey(undefined)
    announce(message, { undo: true })
  }

  /** Updates the stored card in every step of the history, because the next PATCH starts from it. */
  function rebase(stored: Card): void {
    state.correct(step => (step.card?.id === stored.id ? { ...step, card: stored } : step))
  }

  /** A question that was just sent is written as it is stored: a new deadline or list, or to ask again, is meant once. */
  function settle(stored: Card): void {
    const text = state.text()
    state.correct(step => (step.text === text ? withQuestionsOf(step, stored) : step))
  }

  function follow(stored: Card): void {
    const { text, card } = cardTextOf(stored)
    apply(withText({ ...now(), card }, text))
    announce('Updated with other people’s changes.')
  }

  return {
    ...state,
    ...editing,
    replace,
    rebase,
    settle,
    follow,
    startOver: () => replace(EMPTY, 'Started over.'),
    setText: (text: string) => apply(withText(now(), text), 'text'),
    edit: (path: Path, next: unknown) => apply(withField(now(), path, next), path.map(String).join('.')),
    /** Also replaces malformed text by the last valid JSON. */
    format: () => apply(withValue(now(), now().value)),
    /** The content becomes a new card. */
    detach: () => {
      if (state.card()) apply({ ...now(), card: null })
    },
  }
}

export const [BuilderContext, useBuilder] = createRequiredContext<Builder>('BuilderContext')
