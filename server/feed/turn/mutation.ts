// One change to a channel, and its outcome.
import type { Block } from '../../../shared/block.ts'
import type { CardStatus, PatchCardBody, PlacedCard } from '../../../shared/card.ts'
import type { ChannelHead, Receipts } from '../../../shared/channel.ts'
import type { FilledCard } from '../../../shared/form-block.ts'
import type { Interaction } from '../../../shared/interaction.ts'
import type { Receipt } from '../../../shared/receipt.ts'
import type { Ending } from '../../decisions/end-question.ts'
import type { DecisionRecord } from '../../decisions/rows.ts'
import type { Inquiry } from '../../decisions/rules.ts'

export type CardRef = { id: string } | { key: string }

/** What a press sees: committed state, and the earlier mutations of its turn. `now`: ISO 8601. */
export type PressPlace = {
  card: PlacedCard | null
  head: ChannelHead
  now: string
  /** The current decision of a block, or the one that the press names. */
  record: (decision_id: string) => DecisionRecord | undefined
}

/** What a press logs, and the decision that it made; null for a press that decides nothing. */
export type Judged = {
  logged: Pick<Interaction, 'card_id' | 'trigger'> & { card: FilledCard | null }
  decided: DecisionRecord | null
}

/** A receipt without what was pressed. */
export type PressedBy = Omit<Receipt, 'button_id' | 'label'>

export type Mutation =
  | { kind: 'insert'; id: string; blocks: Block[]; status: CardStatus; inquiry?: Inquiry }
  | { kind: 'upsert'; id: string; key: string; blocks: Block[]; status: CardStatus; inquiry?: Inquiry }
  | { kind: 'patch'; ref: CardRef; body: PatchCardBody; inquiry?: Inquiry }
  | { kind: 'delete'; ref: CardRef }
  /** `receipts`: the channel's setting from now on, if it changes. */
  | { kind: 'head'; change: (head: ChannelHead) => Partial<ChannelHead>; receipts?: Receipts }
  /**
   * `judge` throws if the press doesn't count. `decision_id`: what the press names. `by`: for the receipt, if the channel
   * shows receipts and the press decides nothing.
   */
  | {
      kind: 'press'
      card_id: string | null
      decision_id: string | null
      judge: (at: PressPlace) => Judged
      by?: PressedBy
    }
  | { kind: 'end'; how: Ending; card_id: string | null; decision_id: string }
  /** Removes all receipts, if the channel doesn't show them any more. */
  | { kind: 'hide_receipts' }
  /** Removes the receipts of presses before `before` (ISO 8601) from these cards and the header. */
  | { kind: 'forget_receipts'; card_ids: string[]; before: string }

export type Outcome =
  /** `remaining` of the owner's daily quota; null: no limit. */
  | { kind: 'inserted'; card: PlacedCard; remaining: number | null }
  /** The same question waits already, on this card. */
  | { kind: 'joined'; card: PlacedCard }
  | { kind: 'updated'; card: PlacedCard }
  | { kind: 'unchanged'; card: PlacedCard }
  | { kind: 'deleted'; id: string }
  /** The head, or receipts. */
  | { kind: 'head' }
  | ({ kind: 'pressed' } & Judged)
  /** `changed`: false if the question had ended already, or has time left. `card`: null if it is deleted. */
  | { kind: 'ended'; card: PlacedCard | null; record: DecisionRecord | null; changed: boolean }

/** The mutation and those after it must wait for the next turn. */
export class NotThisTurn extends Error {}
