// The value in a field: the viewer's draft, or the card's own value. A block with `send_on_change` sends it.
import { type Accessor, createEffect, on, onCleanup, untrack } from 'solid-js'
import type { FormBlock } from '../../shared/form-block.ts'
import { isPassword } from '../data/drafts/drafts.ts'
import { wentWell } from '../data/outbox/interaction.ts'
import { listen } from '../lib/listen.ts'
import { afterPointerUp } from './after-pointer-up.ts'
import { unwrapped, useCard } from './card-form.ts'
import { useCardHost } from './card-host.ts'
import { useInteractions } from './interactions.ts'

const PAUSE_MS = 600

export function createFieldValue<B extends FormBlock>(block: Accessor<B>) {
  const { drafts, outbox } = useCardHost()
  const card = useCard()
  const { onlyViewer } = useInteractions()
  const isDisabled = () => block().disabled || onlyViewer() !== undefined
  const sending = createSendOnChange(block)
  createEffect(() => isPassword(block()) && untrack(() => drafts.conceal(card.id, block().id)))
  // A sent draft is discarded once the automation sets another value; a sent password, at once.
  createEffect(() => {
    const { id } = block()
    const sent = drafts.sentDraft(card.id, id)
    if (!sent || !outbox.ready()) return
    const interaction = outbox.interactions().find(other => other.interaction_id === sent.interaction_id)
    const isReplaced = JSON.stringify(block().value) !== sent.base || drafts.isSecret(card.id, block())
    if (isReplaced && (!interaction || wentWell(interaction))) untrack(() => drafts.discard(card.id, id))
  })

  /** A disabled field shows the card's own value, which a click sends. Its draft returns when it is enabled. */
  function value(): B['value'] {
    return isDisabled() ? block().value : card.form.valueIn(block())
  }

  function discardIfEqual(): void {
    if (isDisabled()) return
    if (JSON.stringify(value()) === JSON.stringify(block().value)) drafts.discard(card.id, block().id)
  }

  return {
    value,
    isDisabled,
    /** `composing`: an input method is still composing the text. */
    type(entered: string, composing: boolean): void {
      card.form.clearError(block().id)
      drafts.write(card.id, block().id, entered)
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

function createSendOnChange(block: Accessor<FormBlock>) {
  const { cardOf, drafts } = useCardHost()
  const card = useCard()
  const { send } = useInteractions()
  let timer: ReturnType<typeof setTimeout> | undefined
  let knownJson = JSON.stringify(card.form.valueIn(block()))

  const ownJson = () => JSON.stringify(block().value)
  createEffect(on(ownJson, json => (knownJson = json), { defer: true }))
  listen(window, 'pagehide', flush)
  onCleanup(flush)

  function later(): void {
    hold()
    timer = setTimeout(now, PAUSE_MS)
  }

  function hold(): void {
    clearTimeout(timer)
    timer = undefined
  }

  /** The page unloads or the card disappears during the pause. Nothing is sent for a deleted card. */
  function flush(): void {
    if (timer !== undefined && cardOf(card.id)) now()
  }

  function now(): void {
    hold()
    const { id, send_on_change, disabled, label, value: base } = block()
    const value = card.form.valueIn(block())
    if (!send_on_change || disabled || JSON.stringify(value) === knownJson || !card.form.isValid(id)) return
    const interaction_id = send({
      card_id: card.id,
      trigger: { type: 'input_change', block_id: id, value: unwrapped(value) },
      label: label ?? 'Choices',
      values: card.form.formValues('change').values,
      secret: drafts.isSecret(card.id, block()),
    })
    if (interaction_id === null) return
    knownJson = JSON.stringify(value)
    drafts.markSent(card.id, interaction_id, { [id]: base })
  }

  return { later, hold, now }
}
