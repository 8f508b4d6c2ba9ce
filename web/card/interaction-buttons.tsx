// A row of buttons that send interactions, with the status of the latest one.
import { createSignal, For, Show } from 'solid-js'
import type { BlockButton } from '../../shared/blocks/button.ts'
import type { ViewerTrigger } from '../../shared/interaction.ts'
import { blocksRepeat, controlOf, isPending, wentWell } from '../data/outbox/interaction.ts'
import { onKey } from '../lib/on-key.ts'
import { ignoreHeldEnter, requestConfirmation } from '../ui/confirmation.tsx'
import { IconCheck, IconClock } from '../ui/icons.tsx'
import { InteractionStatus } from './interaction-status.tsx'
import { useInteractions } from './interactions.ts'

type ActionButton = Pick<BlockButton, 'label' | 'style'> & Partial<BlockButton>

type ButtonActions<B> = {
  card_id: string | null
  triggerOf: (button: B) => ViewerTrigger
  /** Runs before the question, during which the card may change. Returns what sends, or null if a field is wrong. */
  prepare: (button: B) => (() => void) | null
  /** What a question before a press is about. */
  about?: () => string | undefined
  /** Whether a line below the buttons says who pressed it. */
  hasReceipt: (button: B) => boolean
}

export function InteractionButtons<B extends ActionButton>(props: ButtonActions<B> & { buttons: B[] }) {
  const { latest } = useInteractions()
  const last = () => latest(props.card_id, ...props.buttons.map(button => controlOf(props.triggerOf(button))))
  /** A receipt says the same as the status of an interaction that went well. */
  const news = () => {
    const interaction = last()
    const isOf = (button: B) => controlOf(props.triggerOf(button)) === interaction?.place
    const isTold = interaction && wentWell(interaction) && props.buttons.filter(isOf).some(props.hasReceipt)
    return isTold ? undefined : interaction
  }
  return (
    <div class="line">
      <For each={props.buttons}>{button => <InteractionButton {...props} button={button} />}</For>
      <Show when={news()}>
        {news => (
          <InteractionStatus of={news()} label={props.buttons.length > 1 ? news().label : undefined} />
        )}
      </Show>
    </div>
  )
}

function InteractionButton<B extends ActionButton>(props: ButtonActions<B> & { button: B }) {
  const { disabledReason, latest } = useInteractions()
  const [confirming, setConfirming] = createSignal(false)
  const last = () => latest(props.card_id, controlOf(props.triggerOf(props.button)))
  const pending = () => {
    const interaction = last()
    return interaction !== undefined && isPending(interaction)
  }
  const isDone = () => {
    const interaction = last()
    return interaction !== undefined && wentWell(interaction) && !pending()
  }
  const spinning = () => {
    const progress = last()?.progress
    return pending() && !(progress?.state === 'waiting' && progress.trouble !== null)
  }

  async function onClick(): Promise<void> {
    const interaction = last()
    if (disabledReason() !== undefined || confirming()) return
    if (interaction && blocksRepeat(interaction, Date.now())) return
    const send = props.prepare(props.button)
    if (!send) return
    const { confirm: question, label: yes, style } = props.button
    if (question !== undefined) {
      setConfirming(true)
      const confirmed = await requestConfirmation({
        question,
        about: props.about?.(),
        yes,
        danger: style === 'danger',
      })
      setConfirming(false)
      if (!confirmed) return
    }
    send()
  }

  return (
    <button
      type="button"
      class={`button button-${props.button.style} ${pending() ? 'button-pressed' : isDone() ? 'button-done' : ''}`}
      disabled={props.button.disabled}
      aria-disabled={disabledReason() !== undefined || pending() ? 'true' : undefined}
      aria-busy={spinning() ? 'true' : undefined}
      title={disabledReason()}
      onClick={onClick}
      onKeyDown={onKey(ignoreHeldEnter)}
    >
      <Show when={spinning()}>
        <span class="spinner" aria-hidden="true" />
      </Show>
      <Show when={pending() && !spinning()}>
        <IconClock />
      </Show>
      <Show when={isDone()}>
        <IconCheck />
      </Show>
      {props.button.label}
    </button>
  )
}
