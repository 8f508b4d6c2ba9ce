// The text of a digest: the vectors of RFC 8785, and what of a card is digested.
import { describe, expect, test } from 'vitest'
import { createCardBody } from '../../shared/card.ts'
import { canonicalJson, digestedCard } from '../../shared/digested-card.ts'
import { OPEN_QUESTION } from '../support/open-question.ts'

describe('RFC 8785', () => {
  test('the canonical form has the bytes of RFC 8785, section 3.2.4', () => {
    const text = String.raw`{
      "numbers": [333333333.33333329, 1E30, 4.50, 2e-3, 0.000000000000000000000000001],
      "string": "\u20ac$\u000F\u000aA'\u0042\u0022\u005c\\\"\/",
      "literals": [null, true, false]
    }`
    const bytes = `
      7b 22 6c 69 74 65 72 61 6c 73 22 3a 5b 6e 75 6c 6c 2c 74 72 75 65 2c 66 61 6c 73 65 5d 2c 22 6e 75 6d
      62 65 72 73 22 3a 5b 33 33 33 33 33 33 33 33 33 2e 33 33 33 33 33 33 33 2c 31 65 2b 33 30 2c 34 2e 35
      2c 30 2e 30 30 32 2c 31 65 2d 32 37 5d 2c 22 73 74 72 69 6e 67 22 3a 22 e2 82 ac 24 5c 75 30 30 30 66
      5c 6e 41 27 42 5c 22 5c 5c 5c 5c 5c 22 2f 22 7d`
    expect(Buffer.from(canonicalJson(JSON.parse(text))).toString('hex')).toBe(bytes.replace(/\s/g, ''))
  })

  test('keys are sorted as in RFC 8785, section 3.2.3', () => {
    const text = String.raw`{
      "\u20ac": "Euro Sign", "\r": "Carriage Return", "\ufb33": "Hebrew Letter Dalet With Dagesh", "1": "One",
      "\ud83d\ude00": "Emoji: Grinning Face", "\u0080": "Control", "\u00f6": "Latin Small Letter O With Diaeresis"
    }`
    expect(canonicalJson(JSON.parse(text)).match(/(?<=":")[^"]+/g)).toEqual([
      'Carriage Return',
      'One',
      'Control',
      'Latin Small Letter O With Diaeresis',
      'Euro Sign',
      'Emoji: Grinning Face',
      'Hebrew Letter Dalet With Dagesh',
    ])
  })

  test.each([
    ['0000000000000000', '0'],
    ['8000000000000000', '0'],
    ['0000000000000001', '5e-324'],
    ['8000000000000001', '-5e-324'],
    ['7fefffffffffffff', '1.7976931348623157e+308'],
    ['ffefffffffffffff', '-1.7976931348623157e+308'],
    ['4340000000000000', '9007199254740992'],
    ['c340000000000000', '-9007199254740992'],
    ['4430000000000000', '295147905179352830000'],
    ['44b52d02c7e14af5', '9.999999999999997e+22'],
    ['44b52d02c7e14af6', '1e+23'],
    ['44b52d02c7e14af7', '1.0000000000000001e+23'],
    ['444b1ae4d6e2ef4e', '999999999999999700000'],
    ['444b1ae4d6e2ef4f', '999999999999999900000'],
    ['444b1ae4d6e2ef50', '1e+21'],
    ['3eb0c6f7a0b5ed8c', '9.999999999999997e-7'],
    ['3eb0c6f7a0b5ed8d', '0.000001'],
    ['41b3de4355555553', '333333333.3333332'],
    ['41b3de4355555554', '333333333.33333325'],
    ['41b3de4355555555', '333333333.3333333'],
    ['41b3de4355555556', '333333333.3333334'],
    ['41b3de4355555557', '333333333.33333343'],
    ['becbf647612f3696', '-0.0000033333333333333333'],
    ['43143ff3c1cb0959', '1424953923781206.2'],
  ])('the number %s is written as in RFC 8785, appendix B: %s', (bits, text) => {
    expect(canonicalJson(Buffer.from(bits, 'hex').readDoubleBE())).toBe(text)
  })

  test.each([Number.NaN, Number.POSITIVE_INFINITY, undefined, { list: [Number.NaN] }])(
    '%o has no canonical form',
    value => expect(() => canonicalJson(value)).toThrow(),
  )

  test('keys that are numbers are sorted as text, and every key counts', () => {
    const text = '{"10": 1, "9": 2, "__proto__": 3, "constructor": 4, "A": 5, "a": 6}'
    expect(canonicalJson(JSON.parse(text))).toBe('{"10":1,"9":2,"A":5,"__proto__":3,"a":6,"constructor":4}')
  })
})

describe('the digested card', () => {
  const { blocks } = createCardBody.parse({
    blocks: [
      { type: 'text', id: 'title', content: 'Roll out?' },
      { type: 'button', id: 'ask', buttons: [{ id: 'yes', label: 'Yes' }] },
      { type: 'button', id: 'plain', buttons: [{ id: 'more', label: 'More' }] },
    ],
  })
  const [title, ask, plain] = blocks
  const question = { ...OPEN_QUESTION, id: 'd', asked_at: '2026-01-31T12:00:00.000Z' }
  const card = (decision: object) => ({
    id: 'card',
    channel_id: 'channel',
    status: 'pending' as const,
    blocks: blocks.map(block =>
      block.type === 'button' && block.id === 'ask'
        ? { ...block, decision: { ...question, ...decision } }
        : block,
    ),
  })

  test('a digested card has its blocks as they are, and only the question of a decision', () => {
    const { state: _, ended_at: __, reason: ___, outcome: ____, ...asked } = question
    expect(digestedCard(card({}))).toEqual({
      v: 1,
      channel_id: 'channel',
      card_id: 'card',
      status: 'pending',
      blocks: [title, { ...ask, decision: asked }, plain],
    })
  })

  test('a digested card is the same before and after its question has ended', () => {
    const ended = card({ state: 'expired', ended_at: '2026-01-31T12:00:05.000Z' })
    expect(digestedCard(ended)).toEqual(digestedCard(card({})))
  })
})
