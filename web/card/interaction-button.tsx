// A button that sends an interaction: asks for confirmation if needed, shows progress, and ignores repeated clicks.
import { createSignal, type JSX, Show } from 'solid-js'
import { blocksRepeat, isPending } from '../data/outbox/interaction.ts'
import { ask, ignoreHeldEnter } from '../ui/ask.tsx'
import { useInteractions } from './interactions.ts'

export type InteractionButtonProps = {
  label: string
  look: 'primary' | 'secondary' | 'danger'
  disabled?: boolean
  /** Asked before anything is sent. */
  question?: string
  card_id: string | null
  place: string
  /**
   * Takes what is filled in at the click, because the card may change while the question is open. Returns the function
   * that sends it, or null if a field is wrong; the field says why.
   */
  prepare: () => (() => void) | null
}

export function InteractionButton(props: InteractionButtonProps): JSX.Element {
  const { disabledReason, latest } = useInteractions()
  const [asking, setAsking] = createSignal(false)
  const last = () => latest(props.card_id, props.place)
  const pending = () => {
    const interaction = last()
    return interaction !== undefined && isPending(interaction)
  }
  const spinning = () => {
    const progress = last()?.progress
    return pending() && !(progress?.state === 'waiting' && progress.trouble !== null)
  }

  async function onClick(): Promise<void> {
    const interaction = last()
    if (disabledReason() !== undefined || asking()) return
    if (interaction && blocksRepeat(interaction, Date.now())) return
    const send = props.prepare()
    if (!send) return
    if (props.question !== undefined) {
      setAsking(true)
      const yes = await ask({
        question: props.question,
        yes: props.label,
        danger: props.look === 'danger',
      })
      setAsking(false)
      if (!yes) return
    }
    send()
  }

  return (
    <button
      type="button"
      class={`button button-${props.look}`}
      classList={{ 'button-pressed': pending() }}
      disabled={props.disabled}
      aria-disabled={disabledReason() !== undefined || pending() ? 'true' : undefined}
      aria-busy={spinning() ? 'true' : undefined}
      title={disabledReason()}
      onClick={onClick}
      onKeyDown={ignoreHeldEnter}
    >
      <Show when={spinning()}>
        <span class="spinner" aria-hidden="true" />
      </Show>
      {props.label}
    </button>
  )
}
