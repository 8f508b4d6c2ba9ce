// How a question ends without a press.

/** `card_id`: null if its card is deleted. `owner_id`: of the channel. */
export type QuestionRef = {
  channel_id: string
  owner_id: string
  card_id: string | null
  decision_id: string
}

/**
 * `expire` and `withdraw` say nothing to people; `forget` clears the answer's name and comment. `expire` also ends a question
 * that its card doesn't ask any more, whatever its deadline.
 */
export type Ending = 'expire' | 'withdraw' | 'forget'

/** Writes the end in the channel's turn. Returns false if nothing changed: it has ended already, or has time left. */
export type EndQuestion = (question: QuestionRef, how: Ending) => Promise<boolean>

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
