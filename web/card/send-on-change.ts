// Sends the value of a block with `send_on_change`, if it is valid and new: a choice at once, typed text after a pause.
import { type Accessor, createEffect, on, onCleanup } from 'solid-js'
import type { InputBlock } from '../../shared/card-state.ts'
import { useFeed } from '../data/channel/feed-context.ts'
import { useCard } from './card-context.ts'
import { isSecret, unwrapped } from './card-form.ts'
import { useInteractions } from './interactions.ts'

const PAUSE_MS = 600

export function createSendOnChange(block: Accessor<InputBlock>) {
  const feed = useFeed()
  const card = useCard()
  const { send } = useInteractions()
  let timer: ReturnType<typeof setTimeout> | undefined
  let knownJson = JSON.stringify(card.form.valueIn(block()))

  const own = () => JSON.stringify(block().value)
  createEffect(
    on(
      own,
      value => {
        knownJson = value
      },
      { defer: true },
    ),
  )
  window.addEventListener('pagehide', flush)
  onCleanup(() => {
    window.removeEventListener('pagehide', flush)
    flush()
  })

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
    if (timer !== undefined && feed.state.cards[card.id]) now()
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
      secret: isSecret(block()),
    })
    if (interaction_id === null) return
    knownJson = JSON.stringify(value)
    feed.drafts.markSent(card.id, interaction_id, { [id]: base })
  }

  return { later, hold, now }
}
