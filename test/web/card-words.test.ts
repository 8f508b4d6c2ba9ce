// Searching the words of a card on the device.
import { expect, test } from 'vitest'
import type { Block } from '../../shared/block.ts'
import { matchCard, wordsOf } from '../../web/data/channel/card-words.ts'

const card: Block[] = [
  {
    type: 'text',
    id: 'title',
    content: 'Payments: error rate above 2 %',
    size: 'md',
    bold: false,
  },
  { type: 'kv', id: 'facts', rows: [{ key: 'Région', value: 'eu-west-1' }] },
  { type: 'divider', id: 'line' },
]

test('the words are the texts that people see', () => {
  expect(wordsOf(card)).toEqual(['Payments: error rate above 2 %', 'Région: eu-west-1'])
})

test.each([
  ['error', { title: 'Payments: error rate above 2 %', excerpt: undefined }],
  ['RATE pay', { title: 'Payments: error rate above 2 %', excerpt: undefined }],
  ['region', { title: 'Payments: error rate above 2 %', excerpt: 'Région: eu-west-1' }],
  ['error west', { title: 'Payments: error rate above 2 %', excerpt: undefined }],
  ['error east', null],
  [' ', null],
])('%j finds %j', (query, match) => {
  expect(matchCard(card, query)).toEqual(match)
})

test('a long line is cut around the first word that was found', () => {
  const content = `${'before '.repeat(40)}needle${' after'.repeat(40)}`
  const blocks: Block[] = [
    { type: 'text', id: 'a', content: 'Title', size: 'md', bold: false },
    { type: 'text', id: 'b', content, size: 'md', bold: false },
  ]
  const excerpt = matchCard(blocks, 'needle')?.excerpt ?? ''
  expect(excerpt).toMatch(/^….*needle.*…$/)
  expect(excerpt.length).toBe(82)
})
