// How an act fares, in the words of the page. Pure.
import { type Act, pauseLeft, type Trouble, type Waiting } from './interaction.ts'

const TROUBLES: Record<Trouble, string> = {
  unreachable: 'Waiting for a connection',
  busy: 'Waiting: the server is busy',
  'signed-out': 'Waiting until you have access again',
}

/** `now` counts a pause down; without it, the words stay the same while the pause lasts. */
export function actWords({ progress, secret }: Pick<Act, 'progress' | 'secret'>, now?: number): string {
  switch (progress.state) {
    case 'waiting': {
      const why = waitingWords(progress, now)
      if (why === null) return 'Sending…'
      return why + (secret ? '. The password stays on this device until then' : '')
    }
    case 'sent':
      return progress.awaiting ? 'Sent, delivering…' : 'Sent'
    case 'delivered':
      return 'Delivered'
    case 'failed':
      return `Sent, but not delivered: ${progress.reason}`
    case 'held':
      return 'Sent, waiting for the owner to deliver it'
    case 'refused':
      return `Not accepted: ${progress.reason}`
  }
}

/** Why it waits; null while it is being sent. */
function waitingWords(waiting: Waiting, now: number | undefined): string | null {
  if (waiting.trouble === null) return null
  if (waiting.trouble !== 'limited') return TROUBLES[waiting.trouble]
  if (now === undefined) return 'Sending again soon'
  const seconds = Math.ceil(pauseLeft(waiting, now) / 1_000)
  return seconds === 0 ? null : `Sending again in ${seconds} s`
}

/** Said aloud, once the act stands still; null while it moves. A change of a field speaks up only if it went wrong. */
export function actAnnouncement(act: Act): string | null {
  const { progress, type } = act
  const moving =
    (progress.state === 'waiting' && progress.trouble === null) ||
    (progress.state === 'sent' && progress.awaiting)
  const wrong = progress.state === 'failed' || progress.state === 'refused'
  if (moving || (type === 'input_change' && !wrong)) return null
  return `${shortLabel(act)}: ${actWords(act)}`
}

const LABEL_CHARACTERS = 60

/** What was done, in a few words. */
export function shortLabel({ type, label }: Pick<Act, 'type' | 'label'>): string {
  if (type === 'reply') return 'Reply'
  return label.length > LABEL_CHARACTERS ? `${label.slice(0, LABEL_CHARACTERS)}…` : label
}

export function countActs(count: number): string {
  return count === 1 ? '1 action' : `${count} actions`
}
