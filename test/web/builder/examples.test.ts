// The API accepts every example of the card builder as it is.
import { expect, test, vi } from 'vitest'
import { block } from '../../../shared/block.ts'
import { createCardBody } from '../../../shared/card.ts'
import { BLOCK_KINDS } from '../../../web/block-kinds/block-kinds.ts'
import { cardExamples } from '../../../web/builder/card-examples.ts'
import { stripDefaults } from '../../../web/builder/strip-defaults.ts'
import { forAll } from '../../support/for-all.ts'
import { cards } from './arbitrary-card.ts'

// Many cards at random, on machines that are busy with other things.
vi.setConfig({ testTimeout: 60_000 })

const ORIGIN = 'https://feed.example'

test('the menu has an example of every block type, in the order of the schemas', () => {
  const types = block.options.map(one => one.shape.type.value)
  expect(BLOCK_KINDS.map(({ example }) => example(ORIGIN).type)).toEqual(types)
})

test.each(BLOCK_KINDS)('the example “$name” is valid', ({ example }) => {
  expect(createCardBody.parse({ blocks: [example(ORIGIN)] }).blocks).toHaveLength(1)
})

test.each(cardExamples(ORIGIN))('the example “$name” is valid', ({ name, about, ...card }) => {
  expect(createCardBody.parse(card).blocks).toHaveLength(card.blocks.length)
})

test('a card without the values that the service fills in is the same card', () => {
  forAll(cards, card => {
    expect(createCardBody.parse(JSON.parse(JSON.stringify(stripDefaults(card))))).toEqual(card)
  })
})
