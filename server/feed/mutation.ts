// One change to a channel, and its outcome.
import type { Block } from '../../shared/block.ts'
import type { CardStatus, PatchCardBody, PlacedCard } from '../../shared/card.ts'
import type { CardStateEntry } from '../../shared/card-state.ts'
import type { ChannelHead, Receipts } from '../../shared/channel.ts'
import type { Interaction } from '../../shared/interaction.ts'
import type { Receipt } from '../../shared/receipt.ts'

export type CardRef = { id: string } | { key: string }

/** What a press sees: committed state, and the earlier mutations of its turn. */
export type PressPlace = { card: PlacedCard | null; head: ChannelHead }

/** What a press logs. */
export type Judged = { logged: Pick<Interaction, 'card_id' | 'trigger'> & { card_state: CardStateEntry[] | null } }

/** Who pressed, and when: a receipt without what was pressed. */
export type PressedBy = Omit<Receipt, 'button_id' | 'label'>

export type Mutation =
  | { kind: 'insert'; id: string; blocks: Block[]; status: CardStatus }
  | { kind: 'upsert'; id: string; key: string; blocks: Block[]; status: CardStatus }
  | { kind: 'patch'; ref: CardRef; body: PatchCardBody }
  | { kind: 'delete'; ref: CardRef }
  /** `receipts`: the channel's setting from now on. */
  | { kind: 'head'; change: (head: ChannelHead) => Partial<ChannelHead>; receipts?: Receipts }
  /** `judge` throws if the press doesn't count. `by`: null for a press without a receipt. */
  | { kind: 'press'; card_id: string | null; judge: (at: PressPlace) => Judged; by: PressedBy | null }
  /** Removes receipts that viewers may no longer see: all of them, if the channel shows none any more. */
  | { kind: 'hide_receipts' }
  /** Removes the receipts of presses before `before` (ISO 8601) from these cards and the header. */
  | { kind: 'forget_receipts'; card_ids: string[]; before: string }

export type Outcome =
  /** `remaining` of the owner's daily quota; null: no limit. */
  | { kind: 'inserted'; card: PlacedCard; remaining: number | null }
  | { kind: 'updated'; card: PlacedCard }
  | { kind: 'unchanged'; card: PlacedCard }
  | { kind: 'deleted'; id: string }
  | { kind: 'head' }
  | { kind: 'receipts' }
  | ({ kind: 'pressed' } & Judged)

export type TurnedCard = { card: PlacedCard; is: 'new' | 'changed' | 'deleted' }
