// A question on the screen: what it shows now, and pressing one of its buttons.

import { type Accessor, createEffect, createMemo, createSignal, on } from 'solid-js'
import type { BlockButton } from '../../../shared/blocks/button.ts'
import { charCount } from '../../../shared/characters.ts'
import type { QuestionBlock } from '../../../shared/decision-rules.ts'
import { isInput } from '../../../shared/form-block.ts'
import { COMMENT_MAX } from '../../../shared/limits.ts'
import { publicIdOf } from '../../../shared/public-id.ts'
import { commentsOn } from '../../data/drafts/drafts.ts'
import { controlOf } from '../../data/outbox/interaction.ts'
import type { ShownPress } from '../../data/outbox/press-text.ts'
import { isByOwner } from '../../data/viewer.ts'
import { isUpToDate } from '../../lib/reconnect.ts'
import { serverNow } from '../../lib/server-clock.ts'
import { createClock } from '../../ui/clock.ts'
import { requestConfirmation } from '../../ui/confirmation.tsx'
import { useCard } from '../card-form.ts'
import { useCardHost } from '../card-host.ts'
import { titleOf } from '../card-layout.ts'
import { useInteractions } from '../interactions.ts'
import { decisionView, newest } from './decision-view.ts'
import { chosenFor, lacksNames, mayDecide } from './may-decide.ts'

export type Question = ReturnType<typeof createQuestion>

export function createQuestion(block: Accessor<QuestionBlock>) {
  const host = useCardHost()
  const card = useCard()
  const { disabledReason, pressesOn } = useInteractions()
  const { isMine, isSentHere } = createRecognition()
  const presses = createMemo(() =>
    pressesOn(
      card.id,
      block().buttons.map(({ id }) => controlOf({ type: 'button_click', button_id: id })),
    ),
  )
  const decision = createMemo(() => newest(block().decision, presses()))
  const now = createClock(() => decision().state === 'waiting' && decision().expires_at !== null, serverNow)
  const permission = () => mayDecide(decision(), host.viewer())

  /**
   * Only the server knows the people that a question lists. It is asked about each question, and again when the person
   * comes to a question whose card has changed. At every change, each viewer of the channel would send a request.
   */
  function learnPermission(): void {
    const isKnown = permission() !== 'unknown' && !lacksNames(decision(), host.viewer())
    if (isKnown || decision().state !== 'waiting' || !isUpToDate(host.link())) return
    host.refreshView(`${decision().id} ${host.cardOf(card.id)?.updated_at}`)
  }
  createEffect(on([permission, host.link, () => decision().id], learnPermission))

  const view = createMemo(() =>
    decisionView({
      decision: block().decision,
      presses: presses(),
      isMine,
      isSentHere,
      permission: permission(),
      chosen: chosenFor(decision(), host.viewer()),
      name: host.viewer()?.you.name ?? null,
      readOnly: disabledReason() !== undefined,
      offline: host.link().state === 'offline',
      now: now(),
    }),
  )
  return { block, decision, view, now, disabledReason, presses, learnPermission }
}

/**
 * Recognises presses. `isSentHere`: this device sent it. `isMine`: the viewer's, so also what the owner pressed on another
 * device.
 */
export function createRecognition() {
  const { channel_id: channelId, outbox, viewer } = useCardHost()
  const publicIds = new Map<string, string>()
  const publicIdOfCached = (id: string) => {
    const publicId = publicIds.get(id) ?? publicIdOf(id)
    publicIds.set(id, publicId)
    return publicId
  }
  const isSentHere = (act: string) =>
    outbox
      .interactions()
      .some(
        ({ interaction_id, channel_id }) =>
          channel_id === channelId && publicIdOfCached(interaction_id) === act,
      )
  const isMine = ({ act, by }: ShownPress) => isByOwner(by, viewer()) || isSentHere(act)
  return { isMine, isSentHere }
}

/** The comment field, and pressing. The question and the card are as the person sees them when the press begins. */
export function createPress({ block, decision, view, presses }: Question) {
  const { cardOf, drafts, outbox } = useCardHost()
  const card = useCard()
  const { send } = useInteractions()
  const [confirming, setConfirming] = createSignal(false)
  const [error, setError] = createSignal<string>()
  const ruleOf = ({ comment }: BlockButton) => comment ?? decision().comment
  const draft = () => [commentsOn(card.id), block().id] as const
  const comment = () => String(drafts.read(...draft()) ?? '')

  function type(text: string): void {
    setError(undefined)
    drafts.write(...draft(), text)
  }

  function errorFor(button: BlockButton): string | undefined {
    if (ruleOf(button) === 'none') return undefined
    const over = charCount(comment()) - COMMENT_MAX
    if (over > 0) return `The comment is ${over === 1 ? '1 character' : `${over} characters`} too long`
    if (ruleOf(button) === 'required' && comment().trim() === '')
      return `Write a comment, then choose ${button.label} again`
    return undefined
  }

  /** Returns false if the comment is wrong. */
  async function press(button: BlockButton): Promise<boolean> {
    if (view().buttons !== 'active' || button.disabled || confirming()) return true
    const filled = card.form.submit(button.label)
    if (!filled) return true
    setError(errorFor(button))
    if (error() !== undefined) return false
    const written = ruleOf(button) !== 'none' && comment().trim() !== '' && { comment: comment() }
    const { id: decision_id } = decision()
    const shown = cardOf(card.id)
    const bases = Object.fromEntries(
      (shown?.blocks ?? []).filter(isInput).map(({ id, value }) => [id, value]),
    )
    if (button.confirm !== undefined) {
      setConfirming(true)
      const danger = button.style === 'danger'
      const about = titleOf(shown?.blocks ?? [])
      const confirmed = await requestConfirmation({
        question: button.confirm,
        about,
        yes: button.label,
        danger,
      })
      setConfirming(false)
      if (!confirmed) return true
    }
    const trigger = { type: 'button_click' as const, button_id: button.id, decision_id, ...written }
    const old = presses().filter(
      ({ progress }) => progress.state === 'refused' && progress.failure.code === 'card_changed',
    )
    const { label } = button
    const interaction_id = send({ card_id: card.id, trigger, label, seen: shown?.updated_at, ...filled })
    if (interaction_id === null) return true
    drafts.markSent(card.id, interaction_id, bases)
    for (const replaced of old) outbox.remove(replaced.interaction_id)
    return true
  }

  return {
    press,
    confirming,
    comment,
    type,
    error,
    ruleOf,
    discard: () => drafts.discard(...draft()),
  }
}
