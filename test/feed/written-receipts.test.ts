// Receipts come, change and go in a document as Yjs would have written them.
import fc from 'fast-check'
import { expect, test } from 'vitest'
import * as Y from 'yjs'
import { LiveDocument } from '../../server/feed/document/live-document.ts'
import type { Block } from '../../shared/block.ts'
import type { PlacedCard } from '../../shared/card.ts'
import { channelOf, headerReceiptsOf } from '../../shared/channel-doc.ts'
import type { CardReceipts, HeaderReceipts } from '../../shared/receipt.ts'
import { cardsOf } from '../support/viewer.ts'
import { findCard, writeCardReceipts } from '../support/yjs-cards.ts'
import { CHANNEL, ChannelModel, CLIENT } from './channel-model.ts'

const NAMES = ['constructor', 'b']
const at = '2026-01-31T12:00:00.000Z'
const by = { by: { kind: 'user', name: 'Ann' }, act: 'a', timestamp: at } as const

const buttons = (id: string): Block => ({
  type: 'button',
  id,
  buttons: [{ id: 'go', label: 'Go', style: 'primary', disabled: false }],
})

const card = (position: number): PlacedCard => ({
  id: `00000000-0000-4000-8000-00000000000${position}`,
  channel_id: CHANNEL,
  status: 'default',
  blocks: NAMES.map(buttons),
  created_at: at,
  updated_at: at,
  position,
})

/** `totals`: of each name; 0: none. */
const receiptsOf = (totals: number[]): CardReceipts =>
  Object.fromEntries(
    NAMES.flatMap((name, i) => {
      const total = totals[i] ?? 0
      return total === 0 ? [] : [[name, { total, latest: [{ button_id: 'go', label: 'Go', ...by }] }]]
    }),
  )

const headerOf = (total: number): HeaderReceipts =>
  total === 0 ? {} : { a: { total, latest: [{ action_id: 'a', label: 'A', ...by }] } }

const totals = fc.array(fc.nat(2), { minLength: 2, maxLength: 2 })
const step = fc.record({
  card: fc.nat(1),
  totals,
  header: fc.nat(2),
  reload: fc.boolean(),
  encode: fc.boolean(),
})

test('receipts of cards and of the header change as by Yjs', () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 30 }), steps => {
      const updates = new ChannelModel().updates()
      const cards = [card(0), card(1)]
      let live = new LiveDocument(CHANNEL, CLIENT, updates)
      const write = (work: () => void) => {
        const update = live.transact(work)
        if (update) updates.push(update)
      }
      write(() => {
        for (const card of cards) live.insert(card)
      })
      const judge = new Y.Doc()
      for (const update of updates) Y.applyUpdate(judge, update)
      for (const { card: which, totals, header, reload, encode } of steps) {
        const card = cards[which] ?? cards[0]
        const map = card && findCard(judge, card.id)
        if (!card || !map) throw new Error('the card is in the document')
        write(() => {
          live.setReceipts(card, receiptsOf(totals))
          live.setHeaderReceipts(headerOf(header))
        })
        writeCardReceipts(map, card.blocks, receiptsOf(totals))
        const viewer = new Y.Doc()
        for (const update of encode ? [live.encode()] : updates) Y.applyUpdate(viewer, update)
        // As text, because `toEqual` reads `constructor` for the type.
        expect(JSON.stringify(cardsOf(viewer, CHANNEL))).toBe(JSON.stringify(cardsOf(judge, CHANNEL)))
        expect(headerReceiptsOf(channelOf(viewer))).toEqual(headerOf(header))
        expect(JSON.stringify(cards.map(({ id }) => live.find(id)?.acts))).toBe(
          JSON.stringify(cardsOf(judge, CHANNEL).map(({ acts }) => acts)),
        )
        if (reload) live = new LiveDocument(CHANNEL, CLIENT, updates)
      }
    }),
    { numRuns: 100 },
  )
})
