// The receipts of a turn: collected while its mutations are applied, then written once per block.
import type { BlockOf } from '../../shared/block.ts'
import type { PlacedCard } from '../../shared/card.ts'
import { showsReceipts } from '../../shared/channel.ts'
import { isQuestionBlock } from '../../shared/decision-rules.ts'
import type { Trigger } from '../../shared/interaction.ts'
import { ownValue } from '../../shared/own-value.ts'
import { addReceipt, type CardActs, dropReceipts, type HeaderActs } from '../../shared/receipt.ts'
import type { LiveDocument } from './live-document.ts'
import type { PressedBy } from './mutation.ts'
import type { ReceiptChanges, ReceiptSetting } from './receipt-rows.ts'

/** The channel's setting, and the pages with receipts if the turn may remove them all. */
export type ReceiptRules = ReceiptSetting & { pages: number[] }

export class TurnReceipts {
  readonly #document: LiveDocument
  readonly #rules: ReceiptRules | null
  readonly #cards = new Map<string, { card: PlacedCard; acts: CardActs }>()
  #header: HeaderActs | null = null
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
      const acts = this.#headerActs
      this.#header = {
        ...acts,
        [action_id]: addReceipt(ownValue(acts, action_id), { action_id, label, ...by }),
      }
    } else if (card && trigger.type === 'button_click') {
      const { button_id, label } = trigger
      const block = card.blocks.find(block => block.type === 'button' && hasButton(block, button_id))
      if (!block) return
      const acts = this.#of(card)
      this.#set(card, {
        ...acts,
        [block.id]: addReceipt(ownValue(acts, block.id), { button_id, label, ...by }),
      })
    }
  }

  /** The card was patched. A block that asks something shows its outcome instead. */
  patched(card: PlacedCard): void {
    const acts = this.#of(card)
    const hidden = card.blocks.filter(block => isQuestionBlock(block) && ownValue(acts, block.id))
    if (hidden.length === 0) return
    const kept = Object.entries(acts).filter(([id]) => hidden.every(block => block.id !== id))
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
    const acts = this.#headerActs
    const ids = new Set(this.#document.head().actions.map(({ id }) => id))
    const kept = Object.entries(acts).filter(([id]) => ids.has(id))
    if (kept.length < Object.keys(acts).length) this.#header = Object.fromEntries(kept)
  }

  /** Removes what was pressed before `before` (ISO 8601) from the header, or from a card. */
  forget(card: PlacedCard | null, before: string): void {
    if (card) {
      const acts = this.#of(card)
      const kept = dropReceipts(acts, before)
      if (kept !== acts) this.#set(card, kept)
    } else {
      const acts = this.#headerActs
      const kept = dropReceipts(acts, before)
      if (kept !== acts) this.#header = kept
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
    for (const card of this.#document.cardsWithActs()) this.#set(card, {})
    return this.#rules.pages
  }

  /** `change` makes the change to a card; it knows whether the card is still in the document. */
  write(change: (card: PlacedCard, changeLive: () => void) => void): ReceiptChanges | null {
    if (this.#header) this.#document.setHeaderActs(this.#header)
    for (const { card, acts } of this.#cards.values()) change(card, () => this.#document.setActs(card, acts))
    if (!this.#cleared && !this.#header && this.#cards.size === 0) return null
    const cards = [...this.#cards.values()].map(({ card, acts }) => ({ card_id: card.id, acts }))
    return { cleared: this.#cleared, cards, header: this.#header }
  }

  get #headerActs(): HeaderActs {
    return this.#header ?? this.#document.headerActs()
  }

  #of(card: PlacedCard): CardActs {
    return this.#cards.get(card.id)?.acts ?? card.acts ?? {}
  }

  #set(card: PlacedCard, acts: CardActs): void {
    this.#cards.set(card.id, { card, acts })
  }
}

const hasButton = ({ buttons }: BlockOf<'button'>, id: string) => buttons.some(button => button.id === id)
