// The PATCH of an edit: applied by the server's own rules, it gives the edited card.
import fc from 'fast-check'
import { describe, expect, test, vi } from 'vitest'
import { type Block, block } from '../../../shared/block.ts'
import { patchCardBody } from '../../../shared/card.ts'
import { patchCard } from '../../../shared/card-patch.ts'
import { parse } from '../../../shared/invalid.ts'
import { patchBetween } from '../../../web/builder/card-patch-body.ts'
import type { CardContent } from '../../../web/builder/strip-defaults.ts'
import { forAll } from '../../support/for-all.ts'
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

/** A block lost its label or a button, which no PATCH can do. */
const hasLoss = (before: CardContent, after: CardContent) =>
  before.blocks.some((one, i) => {
    const other = after.blocks[i]
    if (one.type === 'multiselect' && other?.type === 'multiselect') return one.label && !other.label
    return one.type === 'button' && other?.type === 'button' && other.buttons.length < one.buttons.length
  })

describe('the patch of an edit', () => {
  test('the patch of an edit gives the edited card when it is applied', () => {
    const check = ({ before, after }: { before: CardContent; after: CardContent }) => {
      const patch = patchBetween(before, after)
      if (patch.kind === 'impossible') expect(hasLoss(before, after)).toBe(true)
      else expect(applied(before, patch.kind === 'patch' ? patch.body : {})).toEqual(after)
    }
    forAll(edits, check, 400)
  })

  test('the patch of an edit is not needed when nothing changed', () => {
    forAll(cards, card => expect(patchBetween(card, structuredClone(card))).toEqual({ kind: 'same' }))
  })

  test('the patch between any two cards is right, or has a reason why it can’t be', () => {
    forAll(fc.tuple(cards, cards), ([before, after]) => {
      const patch = patchBetween(before, after)
      if (patch.kind === 'impossible') expect(patch.reasons.length).toBeGreaterThan(0)
      else expect(applied(before, patch.kind === 'patch' ? patch.body : {})).toEqual(after)
    })
  })
})

const card = (...blocks: object[]): CardContent => ({
  status: 'default',
  blocks: blocks.map((given): Block => block.parse(given)),
})
const text = { type: 'text', id: 'a', content: 'One' }
const kv = { type: 'kv', id: 'log', rows: [{ key: '1', value: 'one' }] }
const image = { type: 'image', id: 'i', url: 'https://a.example', alt: 'A' }
const buttons = (...ids: string[]) => ({
  type: 'button',
  id: 'b',
  buttons: ids.map(id => ({ id, label: id })),
})
const more = { key: '2', value: 'two' }
const disabled = { id: 'x', label: 'x', disabled: true }

test.each<[string, before: object[], after: object[], patched: object]>([
  [
    'only the changed field',
    [text, kv],
    [{ ...text, content: 'Two' }, kv],
    { id: 'a', patch: { content: 'Two' } },
  ],
  ['added rows', [kv], [{ ...kv, rows: [...kv.rows, more] }], { id: 'log', patch: { append_rows: [more] } }],
  ['all rows if one changed', [kv], [{ ...kv, rows: [] }], { id: 'log', patch: { rows: [] } }],
  [
    'changed fields of buttons, and new buttons at the end',
    [buttons('x')],
    [{ ...buttons(), buttons: [disabled, { id: 'y', label: 'y' }] }],
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
  ['null for a cleared field', [image], [{ ...image, alt: undefined }], { id: 'i', patch: { alt: null } }],
])('the patch holds %s', (_, before, after, patched) => {
  const patch = patchBetween(card(...before), card(...after))
  expect(patch).toEqual({ kind: 'patch', body: { blocks: [patched] } })
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
