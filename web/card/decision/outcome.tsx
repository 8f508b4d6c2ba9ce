// The receipt of a decision: who chose what, and when. It takes the place of the buttons.
import { Show } from 'solid-js'
import type { DecidedBy, Decision } from '../../../shared/decision.ts'
import { formatMinute, formatTime } from '../../lib/format.ts'
import { IconCheck, IconClock, icon } from '../../ui/icons.tsx'
import { TimeAgo } from '../../ui/time-ago.tsx'
import type { DecisionView } from './decision-view.ts'
import { Sentence } from './sentence.tsx'
import '../../ui/avatar.css'

const IconCross = icon('m4.5 4.5 7 7M11.5 4.5l-7 7')

/** `height`: of the buttons that it replaces, in pixels. `delivery`: what becomes of the viewer's own press. */
export function OutcomeView(props: {
  of: DecisionView
  decision: Decision
  id: string
  height: number | undefined
  delivery: string | undefined
  ref: (element: HTMLElement) => void
}) {
  const decided = () => props.of.state === 'decided'
  return (
    <Show when={props.of.outcome}>
      {outcome => (
        <p
          class="decision-receipt"
          id={props.id}
          ref={props.ref}
          tabIndex={-1}
          style={{ 'min-height': props.height === undefined ? undefined : `${props.height}px` }}
        >
          <span class="seal" classList={{ 'seal-not': !decided() }} aria-hidden="true">
            <Show when={decided()} fallback={props.of.state === 'expired' ? <IconClock /> : <IconCross />}>
              <IconCheck />
            </Show>
          </span>
          <Show when={props.decision.outcome?.by}>
            {by => <Avatar by={by()} isMine={outcome().isMine} />}
          </Show>
          <span>
            <Sentence words={outcome().words} />
            <span class="decision-time">
              {' · '}
              <Show
                when={decided()}
                fallback={<time dateTime={outcome().at}>{clockTime(outcome().at)}</time>}
              >
                <TimeAgo iso={outcome().at} />
              </Show>
              {/* Screen readers get it from interaction-announcer.ts. */}
              <Show when={props.delivery}>
                {delivery => <span aria-hidden="true">{` · ${delivery()}`}</span>}
              </Show>
            </span>
          </span>
        </p>
      )}
    </Show>
  )
}

/** People are round, agents are square. A nameless person has none. */
export function Avatar(props: { by: DecidedBy; isMine: boolean }) {
  const initials = () =>
    (props.by.name ?? '')
      .split(/\s+/, 2)
      .map(word => [...word][0] ?? '')
      .join('')
      .toLocaleUpperCase()
  return (
    <Show when={initials()}>
      <span
        class="avatar"
        classList={{ 'avatar-me': props.isMine, 'avatar-agent': props.by.kind === 'agent' }}
        aria-hidden="true"
      >
        {initials()}
      </span>
    </Show>
  )
}

function clockTime(iso: string): string {
  const isToday = new Date(iso).toDateString() === new Date().toDateString()
  return isToday ? formatTime(iso) : formatMinute(iso)
}
