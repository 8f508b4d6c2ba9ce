// The value in a field: the viewer's draft, or the card's own value. Blocks with `send_on_change` send it.
import { type Accessor, createEffect, untrack } from 'solid-js'
import type { InputBlock } from '../../shared/card-state.ts'
import { useFeed } from '../data/channel/feed-context.ts'
import { wentWell } from '../data/outbox/interaction.ts'
import { useOutbox } from '../data/outbox/outbox-context.tsx'
import { afterPointerUp } from './after-pointer-up.ts'
import { useCard } from './card-context.ts'
import { isOfType, isSecret } from './card-form.ts'
import { createSendOnChange } from './send-on-change.ts'

export function createFieldValue<B extends InputBlock>(block: Accessor<B>) {
  const { drafts } = useFeed()
  const outbox = useOutbox()
  const card = useCard()
  const sending = createSendOnChange(block)
  // A sent draft is discarded once the automation sets another value; a sent password, at once.
  createEffect(() => {
    const { id } = block()
    const sent = drafts.sentDraft(card.id, id)
    if (!sent || !outbox.ready()) return
    const interaction = outbox.interactions().find(other => other.interaction_id === sent.interaction_id)
    const isReplaced = JSON.stringify(block().value) !== sent.base || isSecret(block())
    if (isReplaced && (!interaction || wentWell(interaction))) untrack(() => drafts.discard(card.id, id))
  })

  /** A disabled field shows the card's own value, which a click sends. Its draft returns when it is enabled. */
  function value(): B['value'] {
    const draft = block().disabled ? undefined : drafts.read(card.id, block().id)
    return draft !== undefined && isOfType(block(), draft) ? draft : block().value
  }

  function discardIfEqual(): void {
    if (block().disabled) return
    if (JSON.stringify(value()) === JSON.stringify(block().value)) drafts.discard(card.id, block().id)
  }

  return {
    value,
    /** Typed text is sent after a pause, and not while an input method composes it. */
    type(entered: string, composing: boolean): void {
      card.form.clearError(block().id)
      drafts.write(card.id, block().id, entered, { secret: isSecret(block()) })
      if (composing) sending.hold()
      else sending.later()
    },
    leave(): void {
      const { id } = block()
      const isEntered = drafts.read(card.id, id) !== undefined
      // Now, so that the change is sent before the click that left the field.
      if (isEntered) sending.now()
      if (isEntered) afterPointerUp(() => card.form.checkField(id))
      discardIfEqual()
    },
    choose(chosen: B['value']): void {
      card.form.clearError(block().id)
      drafts.write(card.id, block().id, chosen)
      sending.now()
      discardIfEqual()
    },
  }
}
