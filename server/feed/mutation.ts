// One change to a channel, and its outcome.
import type { Block } from '../../shared/block.ts'
import type { CardStatus, PatchCardBody, PlacedCard } from '../../shared/card.ts'
import type { ChannelHead } from '../../shared/channel.ts'

export type CardRef = { id: string } | { key: string }

export type Mutation =
  | { kind: 'insert'; id: string; blocks: Block[]; status: CardStatus }
  | { kind: 'upsert'; id: string; key: string; blocks: Block[]; status: CardStatus }
  | { kind: 'patch'; ref: CardRef; body: PatchCardBody }
  | { kind: 'delete'; ref: CardRef }
  | { kind: 'head'; change: (head: ChannelHead) => Partial<ChannelHead> }

export type Outcome =
  /** `remaining` of the owner's daily quota; null: no limit. */
  | { kind: 'inserted'; card: PlacedCard; remaining: number | null }
  | { kind: 'updated'; card: PlacedCard }
  | { kind: 'unchanged'; card: PlacedCard }
  | { kind: 'deleted'; id: string }
  | { kind: 'head' }

export type TurnedCard = { card: PlacedCard; is: 'new' | 'changed' | 'deleted' }
