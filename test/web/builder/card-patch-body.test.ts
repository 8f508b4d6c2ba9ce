// The PATCH of an edit: applied by the server's own rules, it gives the edited card.
import fc from 'fast-check'
import { describe, expect, test, vi } from 'vitest'
import { type Block, block } from '../../../shared/block.ts'
import { patchCardBody } from '../../../shared/card.ts'
import { patchCard } from '../../../shared/card-patch.ts'
import { parse } from '../../../shared/invalid.ts'
import { type CardContent, patchBetween } from '../../../web/builder/card-patch-body.ts'
import { cards, edits } from './arbitrary-card.ts'

// Many cards at random, on machines that are busy with other things.
vi.setConfig({ testTimeout: 60_000 })

const stored = (content: CardContent) => ({
  id: '00000000-0000-4000-8000-000000000001',
  channel_id: '00000000-0000-4000-8000-000000000002',
  created_at: '2026-01-31T12:00:00.000Z',
  updated_at: '2026-01-31T12:00:00.000Z',
  ...content,
})

/** The card after the server has applied the body. */
function applied(before: CardContent, body: object): CardContent {
  const sent = parse(patchCardBody, JSON.parse(JSON.stringify(body)))
  const { status, blocks } = patchCard(stored(before), sent, '2026-01-31T12:00:01.000Z').card
  return { status, blocks }
}

const lostLabel = (before: CardContent, after: CardContent) =>
  before.blocks.some((one, i) => {
    const other = after.blocks[i]
    return one.type === 'multiselect' && other?.type === 'multiselect' && one.label && !other.label
  })
const lostButtons = (before: CardContent, after: CardContent) =>
  before.blocks.some((one, i) => {
    const other = after.blocks[i]
    return one.type === 'button' && other?.type === 'button' && other.buttons.length < one.buttons.length
  })

describe('the patch of an edit', () => {
  test('gives the edited card when it is applied', () => {
    fc.assert(
      fc.property(edits, ({ before, after }) => {
        const patch = patchBetween(before, after)
        if (patch.kind === 'impossible') {
          expect(lostLabel(before, after) || lostButtons(before, after)).toBe(true)
          return
        }
        expect(applied(before, patch.kind === 'patch' ? patch.body : {})).toEqual(after)
      }),
      { numRuns: 400 },
    )
  })

  test('is not needed when nothing changed', () => {
    fc.assert(
      fc.property(cards, card => {
        expect(patchBetween(card, structuredClone(card))).toEqual({ kind: 'same' })
      }),
    )
  })

  test('between any two cards is right, or has a reason why it can’t be', () => {
    fc.assert(
      fc.property(cards, cards, (before, after) => {
        const patch = patchBetween(before, after)
        if (patch.kind === 'impossible') expect(patch.reasons.length).toBeGreaterThan(0)
        else expect(applied(before, patch.kind === 'patch' ? patch.body : {})).toEqual(after)
      }),
    )
  })
})

const card = (...blocks: object[]): CardContent => ({
  status: 'default',
  blocks: blocks.map((given): Block => block.parse(given)),
})
const text = { type: 'text', id: 'a', content: 'One' }
const kv = { type: 'kv', id: 'log', rows: [{ key: '1', value: 'one' }] }
const buttons = (...ids: string[]) => ({
  type: 'button',
  id: 'b',
  buttons: ids.map(id => ({ id, label: id })),
})
const bodyOf = (before: CardContent, after: CardContent) => {
  const patch = patchBetween(before, after)
  return patch.kind === 'patch' ? patch.body : patch
}

describe('the patch is as small as possible', () => {
  test('it holds only the changed field', () => {
    expect(bodyOf(card(text, kv), card({ ...text, content: 'Two' }, kv))).toEqual({
      blocks: [{ id: 'a', patch: { content: 'Two' } }],
    })
  })
  test('added rows are appended', () => {
    const more = { key: '2', value: 'two' }
    expect(bodyOf(card(kv), card({ ...kv, rows: [...kv.rows, more] }))).toEqual({
      blocks: [{ id: 'log', patch: { append_rows: [more] } }],
    })
  })
  test('changed rows are all sent', () => {
    expect(bodyOf(card(kv), card({ ...kv, rows: [] }))).toEqual({
      blocks: [{ id: 'log', patch: { rows: [] } }],
    })
  })
  test('a button’s patch holds only changed fields, and a new button goes to the end', () => {
    const after = card({
      type: 'button',
      id: 'b',
      buttons: [
        { id: 'x', label: 'x', disabled: true },
        { id: 'y', label: 'y' },
      ],
    })
    expect(bodyOf(card(buttons('x')), after)).toEqual({
      blocks: [
        {
          id: 'b',
          patch: {
            buttons: [
              { id: 'x', patch: { disabled: true } },
              { id: 'y', label: 'y', style: 'primary', disabled: false },
            ],
          },
        },
      ],
    })
  })
  test('null clears a field', () => {
    const image = { type: 'image', id: 'i', url: 'https://a.example', alt: 'A' }
    expect(bodyOf(card(image), card({ ...image, alt: undefined }))).toEqual({
      blocks: [{ id: 'i', patch: { alt: null } }],
    })
  })
})

test.each<[string, CardContent, CardContent, string[]]>([
  ['an added block', card(text), card(text, kv), ['The kv block “log” was added.']],
  ['a removed block', card(text, kv), card(kv), ['The text block “a” was removed.']],
  ['another order of blocks', card(text, kv), card(kv, text), ['The blocks are in another order.']],
  [
    'another type of block',
    card(text),
    card({ type: 'badge', id: 'a', label: 'One' }),
    ['Block “a” was a text and is a badge.'],
  ],
  [
    'buttons in another order',
    card(buttons('x', 'y')),
    card(buttons('y', 'x')),
    [
      'Buttons of the button block “b” were removed, moved or added before others. A PATCH only adds them at the end.',
    ],
  ],
  [
    'a label that cannot be cleared',
    card({ type: 'multiselect', id: 'm', label: 'M', options: ['a'] }),
    card({ type: 'multiselect', id: 'm', options: ['a'] }),
    ['The label of the multiselect block “m” can be changed, but not removed.'],
  ],
])('%s can’t be patched, with a reason', (_, before, after, reasons) => {
  expect(patchBetween(before, after)).toEqual({ kind: 'impossible', reasons })
})
