// The receipts of a turn: collected while its mutations are applied, then written once per block.
import type { BlockOf } from '../../../shared/block.ts'
import type { PlacedCard } from '../../../shared/card.ts'
import { showsReceipts } from '../../../shared/channel.ts'
import { isQuestionBlock } from '../../../shared/decision-rules.ts'
import type { Trigger } from '../../../shared/interaction.ts'
import { ownValue } from '../../../shared/own-value.ts'
import { addReceipt, type CardReceipts, dropReceipts, type HeaderReceipts } from '../../../shared/receipt.ts'
import type { LiveDocument } from '../document/live-document.ts'
import type { ReceiptChanges, ReceiptSetting } from '../log/receipt-rows.ts'
import type { PressedBy } from './mutation.ts'

/** The channel's setting, and the pages with receipts if the turn may remove them all. */
export type ReceiptRules = ReceiptSetting & { pages: number[] }

export class TurnReceipts {
  readonly #document: LiveDocument
  readonly #rules: ReceiptRules | null
  readonly #cards = new Map<string, { card: PlacedCard; receipts: CardReceipts }>()
  #header: HeaderReceipts | null = null
  #cleared = false

  constructor(document: LiveDocument, rules: ReceiptRules | null) {
    this.#document = document
    this.#rules = rules
  }

  get cleared(): boolean {
    return this.#cleared
  }

  /** Shows a press, if the channel shows receipts. `card`: null for a header action. */
  show(card: PlacedCard | null, trigger: Trigger, by: PressedBy): void {
    if (!this.#rules || !showsReceipts(this.#rules.receipts, this.#rules.visibility)) return
    if (trigger.type === 'header_action') {
      const { action_id, label } = trigger
      const receipts = this.#headerReceipts
      this.#header = {
        ...receipts,
        [action_id]: addReceipt(ownValue(receipts, action_id), { action_id, label, ...by }),
      }
    } else if (card && trigger.type === 'button_click') {
      const { button_id, label } = trigger
      const block = card.blocks.find(block => block.type === 'button' && hasButton(block, button_id))
      if (!block) return
      const receipts = this.#of(card)
      this.#set(card, {
        ...receipts,
        [block.id]: addReceipt(ownValue(receipts, block.id), { button_id, label, ...by }),
      })
    }
  }

  /** The card was patched. A block that asks something shows its outcome instead. */
  patched(card: PlacedCard): void {
    const receipts = this.#of(card)
    const hidden = card.blocks.filter(block => isQuestionBlock(block) && ownValue(receipts, block.id))
    if (hidden.length === 0) return
    const kept = Object.entries(receipts).filter(([id]) => hidden.every(block => block.id !== id))
    this.#set(card, Object.fromEntries(kept))
  }

  /** `card`: as it was before all its blocks were replaced. */
  replaced(card: PlacedCard): void {
    if (Object.keys(this.#of(card)).length > 0) this.#set(card, {})
  }

  cardDeleted(id: string): void {
    this.#cards.delete(id)
  }

  /** Header actions may have been deleted. */
  headChanged(): void {
    const receipts = this.#headerReceipts
    const ids = new Set(this.#document.head().actions.map(({ id }) => id))
    const kept = Object.entries(receipts).filter(([id]) => ids.has(id))
    if (kept.length < Object.keys(receipts).length) this.#header = Object.fromEntries(kept)
  }

  /** Removes what was pressed before `before` (ISO 8601) from the header, or from a card. */
  forget(card: PlacedCard | null, before: string): void {
    if (card) {
      const receipts = this.#of(card)
      const kept = dropReceipts(receipts, before)
      if (kept !== receipts) this.#set(card, kept)
    } else {
      const receipts = this.#headerReceipts
      const kept = dropReceipts(receipts, before)
      if (kept !== receipts) this.#header = kept
    }
  }

  /**
   * Removes all receipts, if the channel doesn't show them with this setting. Returns the pages that had some. The turn
   * shows no others afterwards.
   */
  hide(receipts = this.#rules?.receipts): number[] {
    if (!this.#rules || !receipts || showsReceipts(receipts, this.#rules.visibility)) return []
    this.#cleared = true
    this.#header = {}
    this.#cards.clear()
    for (const card of this.#document.cardsWithReceipts()) this.#set(card, {})
    return this.#rules.pages
  }

  /** `change` makes the change to a card; it knows whether the card is still in the document. */
  write(change: (card: PlacedCard, changeLive: () => void) => void): ReceiptChanges | null {
    if (this.#header) this.#document.setHeaderReceipts(this.#header)
    for (const { card, receipts } of this.#cards.values())
      change(card, () => this.#document.setReceipts(card, receipts))
    if (!this.#cleared && !this.#header && this.#cards.size === 0) return null
    const cards = [...this.#cards.values()].map(({ card, receipts }) => ({ card_id: card.id, receipts }))
    return { cleared: this.#cleared, cards, header: this.#header }
  }

  get #headerReceipts(): HeaderReceipts {
    return this.#header ?? this.#document.headerReceipts()
  }

  #of(card: PlacedCard): CardReceipts {
    return this.#cards.get(card.id)?.receipts ?? card.acts ?? {}
  }

  #set(card: PlacedCard, receipts: CardReceipts): void {
    this.#cards.set(card.id, { card, receipts })
  }
}

const hasButton = ({ buttons }: BlockOf<'button'>, id: string) => buttons.some(button => button.id === id)
