// How the viewer's decision was delivered. That all went well is worth a few seconds; trouble stays.
import { type Accessor, createEffect, createMemo, createSignal, onCleanup } from 'solid-js'
import { isAwaiting, type LocalInteraction } from '../../data/outbox/interaction.ts'

/** How long a delivery that succeeded is told. */
const FRESH_MS = 10_000

export function createPassingDelivery(delivery: Accessor<LocalInteraction | null>) {
  const [passed, setPassed] = createSignal<string>()
  /** The press whose delivery this page has waited for. */
  let awaited: string | undefined
  const isDelivered = (press: LocalInteraction) => press.progress.state === 'delivered'
  /** An id, so that a press that is read again is told no longer. */
  const told = createMemo(() => {
    const press = delivery()
    if (press && isAwaiting(press)) awaited = press.interaction_id
    return press && isDelivered(press) ? press.interaction_id : undefined
  })
  const isOver = ({ interaction_id, acted_at }: LocalInteraction) =>
    passed() === interaction_id ||
    (awaited !== interaction_id && Date.now() - Date.parse(acted_at) > FRESH_MS)

  createEffect(() => {
    const id = told()
    if (!id) return
    const timer = setTimeout(setPassed, FRESH_MS, id)
    onCleanup(() => clearTimeout(timer))
  })

  return {
    /** Failed or held: the viewer may do something about it. */
    trouble: () => {
      const press = delivery()
      return press && !isDelivered(press) && !isAwaiting(press) ? press : undefined
    },
    /** Behind the outcome, so that nothing moves when it goes. Until the server has answered, there may be no webhook. */
    news: (): 'delivered' | undefined => {
      const press = delivery()
      return press && isDelivered(press) && !isOver(press) ? 'delivered' : undefined
    },
  }
}
