// How a card is laid out, and whether it waits for the viewer.
import { expect, test } from 'vitest'
import type { Block } from '../../shared/block.ts'
import type { Decision } from '../../shared/decision.ts'
import { areFacts, isLine, layoutOf } from '../../web/card/card-layout.ts'
import { needOf, shownStatus } from '../../web/card/needs-you.ts'

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

test('two to six short rows stand side by side', () => {
  const row = { key: 'Version', value: '2.5.0' }
  expect(areFacts([row])).toBe(false)
  expect(areFacts([row, row])).toBe(true)
  expect(areFacts(Array(7).fill(row))).toBe(false)
  expect(areFacts([row, { key: 'x'.repeat(17), value: '' }])).toBe(false)
  expect(areFacts([row, { key: 'Value', value: 'x'.repeat(21) }])).toBe(false)
})

const NOW = Date.parse('2026-11-22T12:00:00.000Z')
const buttons = (fields: Partial<Decision>): Block[] => [
  {
    type: 'button',
    id: 'b',
    buttons: [],
    decision: {
      id: 'd',
      key: null,
      state: 'waiting',
      asked_at: '2026-11-22T11:00:00.000Z',
      expires_at: null,
      who: 'anyone',
      agents: false,
      comment: 'none',
      if_changed: 'accept',
      approves: null,
      ended_at: null,
      reason: null,
      outcome: null,
      ...fields,
    },
  },
]
const you = (kind: 'owner' | 'user' | 'anonymous') => ({
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
