// The status of an interaction in words. Pure.

import { isPending, type LocalInteraction, pauseLeft, type Trouble, type Waiting } from './interaction.ts'
import { plain, refusedWords, waitingWords } from './press-text.ts'
import { deliveryWords, redeliveryWords, refusalWords } from './refusal-words.ts'

const TROUBLES: Record<Trouble, string> = {
  unreachable: 'Waiting for a connection',
  busy: 'Waiting: the server is busy',
  'signed-out': 'Waiting until you have access again',
}

/** With `now`, a pause counts down; without it, the text stays the same during the pause. */
export function statusText(
  { progress, secret }: Pick<LocalInteraction, 'progress' | 'secret'>,
  now?: number,
): string {
  switch (progress.state) {
    case 'waiting': {
      const why = waitingText(progress, now)
      if (why === null) return 'Sending…'
      return why + (secret ? '. The password stays on this device until then' : '')
    }
    case 'sent':
      return progress.awaiting ? 'Sent, delivering…' : 'Sent'
    case 'delivered':
      return 'Delivered'
    case 'failed':
      return `Sent, but not delivered: ${'delivery' in progress ? deliveryWords(progress.delivery) : redeliveryWords(progress.failure)}`
    case 'held':
      return 'Sent, waiting for the owner to deliver it'
    case 'refused':
      return refusalWords(progress.failure)
    case 'hidden':
      return ''
  }
}

function waitingText(waiting: Waiting, now: number | undefined): string | null {
  if (waiting.trouble === null) return null
  if (waiting.trouble !== 'limited') return TROUBLES[waiting.trouble]
  if (now === undefined) return waiting.daily ? DAILY : 'Sending again soon'
  const seconds = Math.ceil(pauseLeft(waiting, now) / 1_000)
  if (seconds === 0) return null
  const again = seconds < 100 ? `${seconds} s` : `${Math.ceil(seconds / 60)} min`
  return `${waiting.daily ? `${DAILY}. ` : ''}Sending again in ${again}`
}

const DAILY = 'The daily limit is reached'

/** For screen readers; null until there is news. A field's change is announced only if it failed. */
export function announcementOf(interaction: LocalInteraction): string | null {
  const { progress, type, decision_id } = interaction
  if (progress.state === 'hidden') return null
  const moving = isPending(interaction) && (progress.state !== 'waiting' || progress.trouble === null)
  const failed = progress.state === 'failed' || progress.state === 'refused'
  if (moving || (type === 'input_change' && !failed)) return null
  const words =
    decision_id === undefined ? null : (refusedWords(interaction) ?? waitingWords(interaction, true))
  return words ? plain(words) : shortLabel(interaction) + afterColon(statusText(interaction))
}

/** The status after the name of its button. */
export const afterColon = (status: string) => `: ${status.charAt(0).toLowerCase()}${status.slice(1)}`

const LABEL_CHARACTERS = 60

export function shortLabel({ type, label }: Pick<LocalInteraction, 'type' | 'label'>): string {
  if (type === 'reply') return 'Reply'
  return label.length > LABEL_CHARACTERS ? `${label.slice(0, LABEL_CHARACTERS)}…` : label
}
