// The card builder's state and everything that changes it. It knows no server. The JSON text and the list of blocks are
// two ways to edit one card, and every change can be undone.
import { createContext, useContext } from 'solid-js'
import type { Card } from '../../shared/card.ts'
import type { Path } from '../../shared/invalid.ts'
import { createBlockEditing } from './block-editing.ts'
import { createBuilderState } from './builder-state.ts'
import {
  type CardText,
  cardTextOf,
  compositionOf,
  EMPTY,
  withField,
  withText,
  withValue,
} from './composition.ts'

export type Builder = ReturnType<typeof createBuilder>

export function createBuilder(first: CardText) {
  const state = createBuilderState(first)
  const { now, apply, announce } = state
  const editing = createBlockEditing(state)

  /** Starts with another card. */
  function replace(next: CardText, message: string): void {
    apply(compositionOf(next))
    editing.setOpenKey(undefined)
    announce(message, { undo: true })
  }

  /** The stored card as the server has it now, in every step: the next PATCH starts from it. */
  function rebase(stored: Card): void {
    state.correct(step => (step.card?.id === stored.id ? { ...step, card: stored } : step))
  }

  /** Shows the stored card as the server has it now, with the changes of others. */
  function follow(stored: Card): void {
    const { text, card } = cardTextOf(stored)
    apply(withText({ ...now(), card }, text))
    announce('Updated with changes that others made.')
  }

  return {
    ...state,
    ...editing,
    replace,
    rebase,
    follow,
    startOver: () => replace(EMPTY, 'Started over.'),
    setText: (text: string) => apply(withText(now(), text), 'text'),
    edit: (path: Path, next: unknown) => apply(withField(now(), path, next), path.map(String).join('.')),
    /** The text of the last readable value, formatted. */
    format: () => apply(withValue(now(), now().value)),
    /** Keeps the content, for a new card. */
    detach: () => {
      if (state.card()) apply({ ...now(), card: null })
    },
  }
}

export const BuilderContext = createContext<Builder>()

export function useBuilder(): Builder {
  const builder = useContext(BuilderContext)
  if (!builder) throw new Error('useBuilder needs a BuilderContext around it')
  return builder
}
