// How an act fares, in the words of the page. Pure.
import type { Act, Trouble } from './act.ts'

const TROUBLES: Record<Trouble, string> = {
  unreachable: 'Waiting for a connection',
  busy: 'Waiting: the server is busy',
  'signed-out': 'Waiting until you have access again',
}

export function actWords({ progress, secret }: Pick<Act, 'progress' | 'secret'>): string {
  switch (progress.state) {
    case 'waiting':
      if (progress.trouble === null) return 'Sending…'
      return TROUBLES[progress.trouble] + (secret ? '. The password stays on this device until then' : '')
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
