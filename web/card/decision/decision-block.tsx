// A question on a card: its buttons, then the receipt in their place, and what became of the viewer's own press.
import { A, useLocation } from '@solidjs/router'
import { createEffect, createMemo, createUniqueId, For, Index, type JSX, on, Show } from 'solid-js'
import { Dynamic } from 'solid-js/web'
import type { QuestionBlock } from '../../../shared/decision-rules.ts'
import { plain } from '../../data/outbox/press-text.ts'
import { signInPath } from '../../lib/return-path.ts'
import { LinkButton } from '../../ui/button.tsx'
import { IconClock, IconCloudOff, IconLock, IconWarning, icon } from '../../ui/icons.tsx'
import { announce } from '../../ui/live-region.tsx'
import { useCard } from '../card-form.ts'
import { useCardHost } from '../card-host.ts'
import { questionName } from '../card-layout.ts'
import { InteractionStatus } from '../interaction-status.tsx'
import { createPress, createQuestion, type Question } from './create-decision.ts'
import { CommentField, DecisionButtons } from './decision-buttons.tsx'
import type { DecisionView, Note } from './decision-view.ts'
import { createHold } from './hold.ts'
import { OutcomeView } from './outcome.tsx'
import { createPassingDelivery } from './passing-delivery.ts'
import { Sentence } from './sentence.tsx'
import '../../ui/note.css'
import './decision.css'

const IconAgent = icon(
  'M4.5 5h7A1.5 1.5 0 0 1 13 6.5v5a1.5 1.5 0 0 1-1.5 1.5h-7A1.5 1.5 0 0 1 3 11.5v-5A1.5 1.5 0 0 1 4.5 5ZM8 5V2.75M6.25 8.5v1M9.75 8.5v1',
)

/** In characters: what screen readers read as the name of a question. */
const NAME_MAX = 200

export function DecisionBlock(props: { block: QuestionBlock }) {
  let group: HTMLFieldSetElement | undefined
  const question = createQuestion(
    () => props.block,
    () => group,
  )
  const press = createPress(question)
  const { view } = question
  const delivery = createPassingDelivery(() => view().delivery)
  const name = createName(() => props.block.id)
  const id = createUniqueId()
  let receipt: HTMLElement | undefined
  const ended = () => view().outcome !== null
  const hold = createHold({ ended, confirming: press.confirming, receipt: () => receipt })
  /** Like the buttons, the link stays while it is held. */
  const asksToSignIn = createMemo<boolean>(asked => (ended() ? asked : view().buttons === 'sign_in'), false)
  createAnnouncements(question, name, () => group)
  // A comment that was sent is done with. One that wasn't can be copied until the person leaves the field.
  createEffect(
    on(
      () => view().isSentHere || !hold.shown(),
      isDone => isDone && press.discard(),
    ),
  )

  return (
    <fieldset
      class="decision"
      ref={group}
      aria-label={name()}
      aria-describedby={`${id}-line`}
      data-decision={view().state}
      onPointerEnter={question.learnPermission}
      onFocusIn={question.learnPermission}
    >
      <Show
        when={hold.shown()}
        fallback={
          <OutcomeView
            of={view()}
            decision={question.decision()}
            id={`${id}-line`}
            height={hold.height()}
            delivery={delivery.news()}
            ref={element => (receipt = element)}
          />
        }
      >
        <div class="decision-choice" {...hold.listeners}>
          <Show when={!asksToSignIn()} fallback={<SignIn />}>
            <CommentField question={question} press={press} />
            <DecisionButtons question={question} press={press} />
          </Show>
        </div>
        <Line of={view()} id={`${id}-line`} delivery={delivery.news()} />
      </Show>
      <Show when={view().outcome?.comment}>
        {comment => <blockquote class="decision-remark">{comment()}</blockquote>}
      </Show>
      <For each={view().notes}>{note => <NoteLine note={note} />}</For>
      <Show when={delivery.trouble()}>{press => <InteractionStatus of={press()} />}</Show>
    </fieldset>
  )
}

function SignIn() {
  const location = useLocation()
  return (
    <A class="button button-secondary" href={signInPath(location.pathname + location.search)}>
      Sign in to decide
    </A>
  )
}

const FACT_ICONS = { deadline: IconClock, who: IconLock, you: null, agent: IconAgent, offline: IconCloudOff }

/** Below the buttons: the outcome while they stay in their place, or what is known about the question. */
function Line(props: { of: DecisionView; id: string; delivery: string | undefined }): JSX.Element {
  const outcome = () => props.of.outcome ?? undefined
  return (
    <p class="decision-line" id={props.id}>
      <Show when={outcome()?.words ?? props.of.sending}>
        {words => (
          <span classList={{ 'decision-sending': props.of.sending !== null }}>
            <Sentence words={words()} />
          </span>
        )}
      </Show>
      <Show when={outcome() && props.delivery}>
        {delivery => <span aria-hidden="true">{delivery()}</span>}
      </Show>
      {/* A countdown changes a fact every second: `For` would make its elements anew. */}
      <Index each={props.of.facts}>
        {fact => (
          <span data-fact={fact().kind}>
            <Show when={FACT_ICONS[fact().kind]}>{icon => <Dynamic component={icon()} />}</Show>
            <span>
              <Sentence words={fact().words} />
            </span>
          </span>
        )}
      </Index>
    </p>
  )
}

function NoteLine(props: { note: Note }) {
  const { outbox } = useCardHost()
  const queued = () => props.note.press.progress.state === 'waiting'

  async function dismiss({ currentTarget }: { currentTarget: HTMLElement }): Promise<void> {
    const card = currentTarget.closest<HTMLElement>('[data-card-id]')
    await outbox.dismiss(props.note.press)
    if (document.activeElement === document.body) card?.focus({ preventScroll: true })
  }

  return (
    <div class="note" data-press={props.note.press.progress.state}>
      <Show when={queued()} fallback={<IconWarning />}>
        <IconCloudOff />
      </Show>
      <p>
        <Sentence words={props.note.words} />
      </p>
      <Show when={props.note.way}>{way => <LinkButton onClick={dismiss}>{way()}</LinkButton>}</Show>
    </div>
  )
}

function createName(blockId: () => string): () => string {
  const { cardOf } = useCardHost()
  const card = useCard()
  return () => questionName(cardOf(card.id)?.blocks ?? [], blockId())?.slice(0, NAME_MAX) ?? 'Decision'
}

const MINUTE = 60_000

/** Announces an outcome if the question is on the screen, and the last minute if the focus is in the question. */
function createAnnouncements(
  { decision, view, now }: Question,
  name: () => string,
  group: () => HTMLElement | undefined,
): void {
  const text = () => {
    const { outcome } = view()
    return outcome && plain(outcome.words)
  }
  createEffect(
    on(text, (said, before) => {
      if (said !== null && before === null && isOnScreen(group())) announce(`${name()}: ${said}`)
      return said
    }),
  )
  const isLastMinute = () => {
    const { expires_at, state } = decision()
    const left = expires_at === null ? Number.POSITIVE_INFINITY : Date.parse(expires_at) - now()
    return state === 'waiting' && left > 0 && left <= MINUTE
  }
  createEffect(
    on(isLastMinute, (isLast, before) => {
      const isInside = group()?.contains(document.activeElement) ?? false
      if (isLast && before === false && isInside) announce(`${name()}: Closes in 1 min`)
      return isLast
    }),
  )
}

function isOnScreen(element: HTMLElement | undefined): boolean {
  const box = element?.getBoundingClientRect()
  return (
    box !== undefined && box.bottom > 0 && box.top < innerHeight && document.visibilityState === 'visible'
  )
}
