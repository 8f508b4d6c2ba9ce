// The status of a card, as a mark and a word.
import type { CardStatus } from '../../shared/card.ts'
import './status.css'

/** `you`: a decision waits for the viewer. */
export type ShownStatus = CardStatus | 'you'

/** The default status has no word. */
export const STATUS_WORDS: Record<ShownStatus, string | null> = {
  default: null,
  success: 'Success',
  warning: 'Warning',
  error: 'Error',
  pending: 'Pending',
  you: 'Needs you',
}

export const Mark = (props: { status: ShownStatus }) => (
  <span class="mark" data-status={props.status} aria-hidden="true" />
)
