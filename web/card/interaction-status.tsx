// How an act fares, beside where it was done: waiting, sent, delivered, or what went wrong and what can be done.
// It is not a live region: the page has one for all (act-announcer.tsx).
import { createEffect, createSignal, type JSX, Match, onCleanup, Show, Switch } from 'solid-js'
import { useFeed } from '../data/channel/feed-context.ts'
import { type Act, wentWell } from '../data/outbox/interaction.ts'
import { actWords } from '../data/outbox/interaction-words.ts'
import { useOutbox } from '../data/outbox/outbox-context.tsx'
import { IconCheck, IconClock, IconWarning } from '../ui/icons.tsx'
import { TimeAgo } from '../ui/time-ago.tsx'

/** `label`: what was done, where the place alone does not tell. `answer`: what else can be done about what went wrong. */
export function ActSign(props: { act: Act; label?: string; answer?: JSX.Element }): JSX.Element {
  const state = () => props.act.progress.state
  const wrong = () => state() === 'failed' || state() === 'refused'
  const now = createSeconds(() => {
    const { progress } = props.act
    return progress.state === 'waiting' && progress.trouble === 'limited'
  })
  return (
    <span class={`act-sign act-${state()}`} data-act={state()}>
      <Switch fallback={<IconClock />}>
        <Match when={wrong()}>
          <IconWarning />
        </Match>
        <Match when={wentWell(props.act)}>
          <IconCheck />
        </Match>
      </Switch>
      <span>
        {props.label === undefined ? '' : `${props.label}: `}
        {actWords(props.act, now())}
        <Show when={state() === 'delivered' || (state() === 'sent' && wentWell(props.act))}>
          {' '}
          <span class="act-time">
            <TimeAgo iso={props.act.acted_at} />
          </span>
        </Show>
        <Show when={wrong() || state() === 'held'}>
          {' '}
          <ActAnswer act={props.act} more={props.answer} />
        </Show>
      </span>
    </span>
  )
}

/** The time (ms), once a second while it `runs`. */
function createSeconds(runs: () => boolean): () => number {
  const [now, setNow] = createSignal(Date.now())
  createEffect(() => {
    if (!runs()) return
    const tick = () => setNow(Date.now())
    tick()
    const timer = setInterval(tick, 1_000)
    onCleanup(() => clearInterval(timer))
  })
  return now
}

/** The owner may have a webhook sent once more; what is known may be put away. */
function ActAnswer(props: { act: Act; more: JSX.Element }): JSX.Element {
  const feed = useFeed()
  const outbox = useOutbox()
  const [busy, setBusy] = createSignal(false)
  const send = () => {
    const { state } = props.act.progress
    if (state === 'held') return 'Send'
    return state === 'failed' ? 'Try again' : undefined
  }

  async function retry(event: Pressed): Promise<void> {
    if (busy()) return
    const back = placeBehind(event.currentTarget)
    setBusy(true)
    await outbox.retryDelivery(props.act)
    setBusy(false)
    back()
  }

  async function dismiss(event: Pressed): Promise<void> {
    const back = placeBehind(event.currentTarget)
    await outbox.forget(props.act.interaction_id)
    back()
  }

  return (
    <span class="act-answers">
      {props.more}
      <Show when={feed.view()?.can_edit && send()}>
        {words => (
          <button type="button" class="link" aria-disabled={busy() ? 'true' : undefined} onClick={retry}>
            {busy() ? 'Trying…' : words()}
          </button>
        )}
      </Show>
      <button type="button" class="link" onClick={dismiss}>
        Dismiss
      </button>
    </span>
  )
}

type Pressed = { currentTarget: HTMLElement }

/** A button that goes takes the focus with it: it moves to the card, or to the reply box. */
function placeBehind(button: HTMLElement): () => void {
  const place = button.closest('[data-card-id]') ?? button.closest('.foot')?.querySelector('textarea')
  return () => {
    const lost = document.activeElement === null || document.activeElement === document.body
    if (lost && place instanceof HTMLElement) place.focus({ preventScroll: true })
  }
}
