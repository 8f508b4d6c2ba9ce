// How a card is laid out, and whether it waits for the viewer.
import { describe, expect, test } from 'vitest'
import type { Block } from '../../shared/block.ts'
import type { Decision } from '../../shared/decision.ts'
import {
  directionOf,
  foldedRows,
  isLine,
  isLongText,
  kvShapeOf,
  layoutOf,
} from '../../web/card/card-layout.ts'
import { needOf, shownStatus } from '../../web/card/needs-you.ts'
import { GUEST } from '../../web/data/viewer.ts'
import { OPEN_QUESTION } from '../support/open-question.ts'

const text = (content: string, size: 'sm' | 'md' | 'lg' = 'md'): Block => ({
  type: 'text',
  id: content,
  content,
  size,
  bold: false,
})
const badge = (label: string): Block => ({ type: 'badge', id: label, label, variant: 'default' })
const divider: Block = { type: 'divider', id: 'divider' }

test('a short text with badges is one line', () => {
  expect(isLine([text('Built')])).toBe(true)
  expect(isLine([badge('ci'), text('Built', 'sm'), badge('web')])).toBe(true)
  expect(isLine([text('x'.repeat(120))])).toBe(true)
})

test('a long text, a line break, a large size, two texts or another block need more than a line', () => {
  expect(isLine([text('x'.repeat(121))])).toBe(false)
  expect(isLine([text('a\nb')])).toBe(false)
  expect(isLine([text('Built', 'lg')])).toBe(false)
  expect(isLine([text('a'), text('b')])).toBe(false)
  expect(isLine([text('a'), divider])).toBe(false)
  expect(isLine([badge('ci')])).toBe(false)
})

test('a card begins with its title, its paragraph or its badges', () => {
  expect(layoutOf([text('Title'), divider])).toEqual({
    shape: 'title',
    lead: [text('Title')],
    rest: [divider],
  })
  expect(layoutOf([text('a\nb'), divider]).shape).toBe('text')
  expect(layoutOf([badge('a'), badge('b'), divider])).toMatchObject({ shape: 'text', rest: [divider] })
  expect(layoutOf([divider])).toMatchObject({ shape: 'text', lead: [], rest: [divider] })
})

test.each<[Block[], 'ltr' | 'rtl' | undefined]>([
  [[text('تم النشر release')], 'rtl'],
  [[text('release تم')], 'ltr'],
  [[text('🚀 2.6.0'), text('שלום')], 'rtl'],
  [[divider], undefined],
  [[{ type: 'kv', id: 'kv', rows: [{ key: 'اسم', value: 'web-1' }] }], 'rtl'],
])('the first letter of a card’s texts decides its direction: %#', (blocks, direction) => {
  expect(directionOf(blocks)).toBe(direction)
})

test('long texts are folded by their lines or their characters', () => {
  expect(isLongText('line\n'.repeat(13))).toBe(false)
  expect(isLongText('line\n'.repeat(14))).toBe(true)
  expect(isLongText('x'.repeat(1_401))).toBe(true)
})

test('a folded list shows its first rows, and a log its last', () => {
  const rows = Array.from({ length: 200 }, (_, i) => ({ key: `${i}`, value: '' }))
  expect(foldedRows(rows, false).map(({ key }) => key)).toEqual(rows.slice(0, 12).map(({ key }) => key))
  expect(foldedRows(rows, true).at(-1)?.key).toBe('199')
  expect(foldedRows(rows.slice(0, 12), true)).toHaveLength(12)
})

describe('rows of a kv block', () => {
  const row = { key: 'Host', value: 'web-1' }
  const rows = (count: number) => Array.from({ length: count }, (_, i) => ({ key: `Fact ${i}`, value: 'x' }))

  test.each([
    ['short ones are facts', [row], 'facts'],
    ['eight are facts', rows(8), 'facts'],
    ['more than eight are rows', rows(9), 'rows'],
    ['a long key makes rows', [row, { key: 'x'.repeat(17), value: '' }], 'rows'],
    ['a long value makes rows', [row, { key: 'Value', value: 'x'.repeat(21) }], 'rows'],
    ['a line break makes rows', [{ key: 'Value', value: 'a\nb' }], 'rows'],
    ['times of day make rows', [{ key: '14:02', value: 'ok' }], 'rows'],
    ['times in brackets make rows', [{ key: '[09:15:01]', value: 'ok' }], 'rows'],
    ['dates make rows', [{ key: '2026-11-27', value: 'ok' }], 'rows'],
  ] as const)('%s', (_, rows, shape) => {
    expect(kvShapeOf([...rows])).toBe(shape)
  })

  test.each([
    ['a list that grows is drawn as rows', rows(2), 'facts', rows(3), 'rows'],
    ['what was drawn as rows stays so', rows(9), 'rows', rows(2), 'rows'],
    ['replaced rows may be facts', rows(2), 'facts', [row, row, row], 'facts'],
    ['the first rows of an empty list may be facts', [], 'facts', rows(2), 'facts'],
    ['a changed value leaves facts as they are', [row], 'facts', [{ ...row, value: 'web-2' }], 'facts'],
  ] as const)('%s', (_, before, shape, now, next) => {
    expect(kvShapeOf([...now], { rows: [...before], shape })).toBe(next)
  })
})

const NOW = Date.parse('2026-11-22T12:00:00.000Z')
const buttons = (fields: Partial<Decision>): Block[] => [
  {
    type: 'button',
    id: 'b',
    buttons: [],
    decision: {
      id: 'd',
      ...OPEN_QUESTION,
      asked_at: '2026-11-22T11:00:00.000Z',
      ...fields,
    },
  },
]
const you = (kind: 'owner' | 'user' | 'anonymous') => ({
  ...GUEST,
  you: kind === 'anonymous' ? { kind, name: null } : { kind, name: 'Ann' },
  may_decide: ['listed'],
})

test.each([
  ['anyone', 'anonymous', 'you'],
  ['signed_in', 'anonymous', 'waiting'],
  ['signed_in', 'user', 'you'],
  ['members', 'user', 'waiting'],
  ['members', 'owner', 'you'],
  ['owner', 'user', 'waiting'],
  ['owner', 'owner', 'you'],
] as const)('a question for %s is, for the kind %s, %s', (who, kind, need) => {
  expect(needOf(buttons({ who }), you(kind), true, NOW)).toBe(need)
})

test('a question for chosen people needs those whom the server names', () => {
  expect(needOf(buttons({ who: 'listed', id: 'listed' }), you('user'), true, NOW)).toBe('you')
  expect(needOf(buttons({ who: 'listed' }), you('owner'), true, NOW)).toBe('waiting')
})

test('a question needs nobody in a channel for viewing, after its deadline, or once it has ended', () => {
  expect(needOf(buttons({}), you('owner'), false, NOW)).toBe('waiting')
  expect(needOf(buttons({ expires_at: '2026-11-22T12:00:00.000Z' }), you('owner'), true, NOW)).toBe('ended')
  expect(needOf(buttons({ state: 'decided' }), you('owner'), true, NOW)).toBe('ended')
  expect(needOf([text('x')], you('owner'), true, NOW)).toBe('none')
})

test('a pending card whose questions have ended no longer looks pending', () => {
  expect(shownStatus('pending', 'ended')).toBe('default')
  expect(shownStatus('pending', 'none')).toBe('pending')
  expect(shownStatus('error', 'ended')).toBe('error')
  expect(shownStatus('default', 'you')).toBe('you')
  expect(shownStatus('success', 'waiting')).toBe('pending')
})
