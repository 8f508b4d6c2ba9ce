// How a question ends without a press.
import type { Transaction } from '../database/connect.ts'

/** `card_id`: null if its card is deleted. `owner_id`: of the channel. */
export type QuestionRef = {
  channel_id: string
  owner_id: string
  card_id: string | null
  decision_id: string
}

/**
 * `forget` clears the answer's name and comment; the others say nothing to people. `expire` also ends a question that its card
 * doesn't ask any more, whatever its deadline. `abandon` ends only a question with `abandon: cancel`.
 */
export type Ending = 'expire' | 'withdraw' | 'abandon' | 'forget'

/**
 * Writes the end in the channel's turn. Returns false if nothing changed: it has ended already, or has time left. `also` runs
 * in the same transaction if something changed; if it throws, nothing is written.
 */
export type EndQuestion = (
  question: QuestionRef,
  how: Ending,
  also?: (tx: Transaction) => Promise<void>,
) => Promise<boolean>

/**
 * The question should have ended: its deadline has passed, or its card doesn't ask it any more. That must be written before
 * the mutation is tried again.
 */
export class Overdue extends Error {
  override name = 'Overdue'
  readonly card_id: string | null
  readonly decision_id: string

  constructor(card_id: string | null, decision_id: string) {
    super(`the decision ${decision_id} should have ended`)
    this.card_id = card_id
    this.decision_id = decision_id
  }
}
