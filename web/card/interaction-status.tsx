// An interaction's status beside its control. Screen readers get it from interaction-announcer.tsx.
import { A } from '@solidjs/router'
import { createEffect, createSignal, type JSX, onCleanup, Show } from 'solid-js'
import { type LocalInteraction, wentWell } from '../data/outbox/interaction.ts'
import { afterColon, statusText } from '../data/outbox/interaction-text.ts'
import { refusedWords, type Words } from '../data/outbox/press-text.ts'
import { listen } from '../lib/listen.ts'
import { LinkButton } from '../ui/button.tsx'
import { createClock } from '../ui/clock.ts'
import { IconCheck, IconClock, IconWarning } from '../ui/icons.tsx'
import { TimeAgo } from '../ui/time-ago.tsx'
import { useCardHost } from './card-host.ts'
import { Sentence } from './decision/sentence.tsx'
import '../ui/note.css'
import './interaction-status.css'

/** Between two questions for an outcome that may change. */
const PAUSE_MS = 5_000
const PAUSE_MAX_MS = 60_000

/** `label`: names the interaction if its position on the page doesn't. `actions`: buttons beside "Dismiss". */
export function InteractionStatus(props: { of: LocalInteraction; label?: string; actions?: JSX.Element }) {
  const progress = () => props.of.progress
  const state = () => progress().state
  const failed = () => state() === 'failed' || state() === 'refused'
  const now = createClock(() => {
    const current = progress()
    return current.state === 'waiting' && current.trouble === 'limited'
  })
  createRecheck(() => props.of)
  const words = (): Words => {
    const status = statusText(props.of, now())
    return (
      refusedWords(props.of) ??
      (props.label === undefined ? [status] : [{ name: props.label }, afterColon(status)])
    )
  }
  return (
    <span
      class={`interaction-status interaction-${state()} ${failed() ? 'note note-error' : 'quiet'}`}
      data-interaction={state()}
    >
      <Show when={wentWell(props.of)} fallback={failed() ? <IconWarning /> : <IconClock />}>
        <IconCheck />
      </Show>
      <span>
        <span>
          <Sentence words={words()} />
        </span>
        <Show when={wentWell(props.of)}>
          {' '}
          <span class="interaction-time">
            <TimeAgo iso={props.of.acted_at} />
          </span>
        </Show>
        <Show when={failed() || state() === 'held'}>
          {' '}
          <InteractionActions of={props.of} more={props.actions} />
        </Show>
      </span>
    </span>
  )
}

/** A delivery that failed or is held may succeed later, from the log or another device. The note asks while it is shown. */
function createRecheck(interaction: () => LocalInteraction): void {
  const { outbox } = useCardHost()
  const mayChange = () => {
    const { progress } = interaction()
    return progress.state === 'held' || (progress.state === 'failed' && 'delivery' in progress)
  }
  createEffect(() => {
    if (!mayChange()) return
    let pause_ms = PAUSE_MS
    let timer = setTimeout(recheck)
    listen(document, 'visibilitychange', recheck)
    onCleanup(() => clearTimeout(timer))

    function recheck(): void {
      clearTimeout(timer)
      timer = setTimeout(recheck, pause_ms)
      pause_ms = Math.min(2 * pause_ms, PAUSE_MAX_MS)
      if (document.visibilityState === 'visible') outbox.recheckDelivery(interaction())
    }
  })
}

function InteractionActions(props: { of: LocalInteraction; more: JSX.Element }) {
  const { canEdit, channel_id, outbox } = useCardHost()
  const [busy, setBusy] = createSignal(false)
  const deliver = () => {
    const { state } = props.of.progress
    if (state === 'held') return 'Send'
    return state === 'failed' ? 'Send again' : undefined
  }

  async function retry(event: ClickEvent): Promise<void> {
    if (busy()) return
    const restoreFocus = focusBehind(event.currentTarget)
    setBusy(true)
    await outbox.retryDelivery(props.of)
    setBusy(false)
    restoreFocus()
  }

  async function dismiss(event: ClickEvent): Promise<void> {
    const restoreFocus = focusBehind(event.currentTarget)
    await outbox.dismiss(props.of)
    restoreFocus()
  }

  return (
    <span class="interaction-actions">
      {props.more}
      <Show when={canEdit() && deliver()}>
        {text => (
          <LinkButton aria-disabled={busy() ? 'true' : undefined} onClick={retry}>
            {busy() ? 'Sending…' : text()}
          </LinkButton>
        )}
      </Show>
      <Show when={canEdit() && props.of.progress.state === 'failed'}>
        <A class="link" href={`/dashboard/channels/${channel_id}/log?status=failed`}>
          Open log
        </A>
      </Show>
      <LinkButton onClick={dismiss}>Dismiss</LinkButton>
    </span>
  )
}

type ClickEvent = { currentTarget: HTMLElement }

/** Returns a function that focuses the card or the reply box if the button has disappeared with the focus. */
function focusBehind(button: HTMLElement): () => void {
  const target = button.closest('[data-card-id]') ?? button.closest('.foot')?.querySelector('textarea')
  return () => {
    const lost = document.activeElement === null || document.activeElement === document.body
    if (lost && target instanceof HTMLElement) target.focus({ preventScroll: true })
  }
}
