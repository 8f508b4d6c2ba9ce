// Sends what is entered in a block with `send_on_change`: a choice at once, typing after a pause. What the automation
// knows already is not sent again, and what breaks a rule is not sent.
import { type Accessor, createEffect, on, onCleanup } from 'solid-js'
import type { InputBlock } from '../../shared/card-state.ts'
import { useFeed } from '../data/channel/feed-context.ts'
import { useActing } from './acting.ts'
import { useCard } from './card-context.ts'
import { isSecret } from './card-form.ts'

const PAUSE_MS = 600

export function createSendOnChange(block: Accessor<InputBlock>) {
  const feed = useFeed()
  const card = useCard()
  const { act } = useActing()
  let timer: ReturnType<typeof setTimeout> | undefined
  /** As JSON: the last value that was sent, or that came from the automation. */
  let known = JSON.stringify(card.form.shownValue(block()))

  createEffect(
    on(
      () => JSON.stringify(block().value),
      value => {
        known = value
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
    clearTimeout(timer)
    timer = setTimeout(now, PAUSE_MS)
  }

  /** What is being composed, of several keys, is not to be sent half. */
  function hold(): void {
    clearTimeout(timer)
    timer = undefined
  }

  /** Whoever leaves before the pause is over meant what they typed; of a card that is gone nothing is sent. */
  function flush(): void {
    if (timer !== undefined && feed.state.cards[card.id]) now()
  }

  function now(): void {
    hold()
    const { id, send_on_change, disabled, label, value: base } = block()
    const value = card.form.shownValue(block())
    if (!send_on_change || disabled || JSON.stringify(value) === known || !card.form.isRight(id)) return
    const { values } = card.form.filled('change')
    const sent = Array.isArray(value) ? [...value] : value
    const interaction_id = act({
      card_id: card.id,
      trigger: { type: 'input_change', block_id: id, value: sent },
      label: label ?? 'Choices',
      values,
      secret: isSecret(block()),
    })
    if (interaction_id === null) return
    known = JSON.stringify(value)
    feed.drafts.handOver(card.id, interaction_id, { [id]: base })
  }

  return { later, hold, now }
}
