// The API accepts every example of the card builder as it is.
import { expect, test, vi } from 'vitest'
import { block } from '../../../shared/block.ts'
import { createCardBody } from '../../../shared/card.ts'
import { BLOCK_KINDS } from '../../../web/builder/block-examples.ts'
import { cardExamples } from '../../../web/builder/card-examples.ts'
import { stripDefaults } from '../../../web/builder/strip-defaults.ts'
import { forAll } from '../../support/for-all.ts'
import { cards } from './arbitrary-card.ts'

// Many cards at random, on machines that are busy with other things.
vi.setConfig({ testTimeout: 60_000 })

const ORIGIN = 'https://feed.example'

test('every block type has an example', () => {
  const types = block.options.map(one => one.shape.type.value)
  expect(BLOCK_KINDS.map(({ type }) => type)).toEqual(types)
})

test.each(BLOCK_KINDS)('the example of $type is valid', ({ type, example }) => {
  expect(createCardBody.parse({ blocks: [example(ORIGIN)] }).blocks[0]?.type).toBe(type)
})

test.each(cardExamples(ORIGIN))('the example “$name” is valid', ({ name, about, ...card }) => {
  expect(createCardBody.parse(card).blocks).toHaveLength(card.blocks.length)
})

test('a card without the values that the service fills in is the same card', () => {
  forAll(cards, card => {
    expect(createCardBody.parse(JSON.parse(JSON.stringify(stripDefaults(card))))).toEqual(card)
  })
})
