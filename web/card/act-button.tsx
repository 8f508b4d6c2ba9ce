// A button that sends an interaction: asks first where it should, shows that it is on its way, and is pressed once.
import { createSignal, type JSX, Show } from 'solid-js'
import { isMoving, isOnItsWay } from '../data/outbox/interaction.ts'
import { ask, ignoreHeldEnter } from '../ui/ask.tsx'
import { useActing } from './acting.ts'

export type ActButtonProps = {
  label: string
  look: 'primary' | 'secondary' | 'danger'
  disabled?: boolean
  /** Asked before the click counts. */
  question?: string
  card_id: string | null
  place: string
  /**
   * What a click does, with what is filled in by now: a question may stand between, and the card change or go
   * meanwhile. null where something is not filled in; the viewer is told.
   */
  prepare: () => (() => void) | null
}

export function ActButton(props: ActButtonProps): JSX.Element {
  const { barred, latest } = useActing()
  const [asking, setAsking] = createSignal(false)
  const last = () => latest(props.card_id, props.place)
  const moving = () => {
    const act = last()
    return act !== undefined && isMoving(act)
  }
  const spinning = () => {
    const progress = last()?.progress
    return moving() && !(progress?.state === 'waiting' && progress.trouble !== null)
  }

  async function onClick(): Promise<void> {
    const act = last()
    if (barred() !== undefined || asking() || (act && isOnItsWay(act, Date.now()))) return
    const press = props.prepare()
    if (!press) return
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
    press()
  }

  return (
    <button
      type="button"
      class={`button button-${props.look}`}
      classList={{ 'button-pressed': moving() }}
      disabled={props.disabled}
      aria-disabled={barred() !== undefined || moving() ? 'true' : undefined}
      aria-busy={spinning() ? 'true' : undefined}
      title={barred()}
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
