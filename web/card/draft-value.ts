// The value that a field shows: what the viewer entered, else the card's own. What is entered clears the field's
// error, and goes out by itself where the block asks for that.
import { type Accessor, createEffect, untrack } from 'solid-js'
import type { InputBlock } from '../../shared/card-state.ts'
import { useFeed } from '../data/channel/feed-context.ts'
import { wentWell } from '../data/outbox/interaction.ts'
import { useOutbox } from '../data/outbox/outbox-context.tsx'
import { afterPress } from './after-press.ts'
import { useCard } from './card-context.ts'
import { isOfType, isSecret } from './card-form.ts'
import { createSendOnChange } from './send-on-change.ts'

export function createDraftValue<B extends InputBlock>(block: Accessor<B>) {
  const { drafts } = useFeed()
  const outbox = useOutbox()
  const card = useCard()
  const sending = createSendOnChange(block)

  createEffect(giveWay)

  /** What went out well gives way to what the automation says next, and a password to nothing. */
  function giveWay(): void {
    const { id } = block()
    const handed = drafts.handed(card.id, id)
    if (!handed || !outbox.ready()) return
    const act = outbox.acts().find(({ interaction_id }) => interaction_id === handed.interaction_id)
    const answered = JSON.stringify(block().value) !== handed.base || isSecret(block())
    if (answered && (!act || wentWell(act))) untrack(() => drafts.discard(card.id, id))
  }

  /** A field that was closed shows what a click sends of it; what was entered waits until it is open again. */
  function value(): B['value'] {
    const draft = block().disabled ? undefined : drafts.read(card.id, block().id)
    return draft !== undefined && isOfType(block(), draft) ? draft : block().value
  }

  /** Whoever put the field back to what the card says wants what the card says. */
  function settle(): void {
    if (block().disabled) return
    if (JSON.stringify(value()) === JSON.stringify(block().value)) drafts.discard(card.id, block().id)
  }

  return {
    value,
    /** A letter was typed: sent once there is a pause, and nothing is being composed. */
    type(entered: string, composing: boolean): void {
      card.form.clearError(block().id)
      drafts.write(card.id, block().id, entered, { secret: isSecret(block()) })
      if (composing) sending.hold()
      else sending.later()
    },
    /** The field was left, or Enter pressed. */
    leave(): void {
      const { id } = block()
      const entered = drafts.read(card.id, id) !== undefined
      // Before a click that leaves the field: a change comes ahead of what is done next.
      if (entered) sending.now()
      if (entered) afterPress(() => card.form.checkField(id))
      settle()
    },
    /** Something else was chosen. */
    choose(chosen: B['value']): void {
      card.form.clearError(block().id)
      drafts.write(card.id, block().id, chosen)
      sending.now()
      settle()
    },
  }
}
