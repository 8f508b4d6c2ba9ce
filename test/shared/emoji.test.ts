// isSingleEmoji: one emoji, however many code points it has.
import { describe, expect, test } from 'vitest'
import { isSingleEmoji } from '../../shared/text.ts'

describe('one emoji', () => {
  test.each('😀 📡 🏢 🇩🇪 🏴󠁧󠁢󠁳󠁣󠁴󠁿 🏳️‍🌈 👍🏽 👨‍👩‍👧‍👦 🧑🏿‍🤝‍🧑🏻 🏃🏽‍♀️ 1️⃣ ❤️ ❤ 👁️‍🗨️'.split(' '))(
    '%s is one emoji',
    icon => {
      expect(isSingleEmoji(icon)).toBe(true)
    },
  )

  test('every code point that is an emoji by itself', () => {
    const alone = /^\p{Emoji_Presentation}$/u
    const letter = /^\p{RI}$/u
    const refused: string[] = []
    for (let code = 0x80; code <= 0x1faff; code++) {
      if (code >= 0xd800 && code <= 0xdfff) continue
      const icon = String.fromCodePoint(code)
      if (alone.test(icon) && !letter.test(icon) && !isSingleEmoji(icon)) refused.push(icon)
    }
    expect(refused).toEqual([])
  })
})

describe('other text', () => {
  test.each([
    ['nothing', ''],
    ['a blank', ' '],
    ['a letter', 'a'],
    ['a digit', '1'],
    ['a hash', '#'],
    ['a word', 'rocket'],
    ['two emoji', '😀😀'],
    ['two flags', '🇩🇪🇫🇷'],
    ['half a flag', '🇩'],
    ['an emoji and a letter', '😀a'],
    ['an emoji and a blank', '😀 '],
    ['a blank and an emoji', ' 😀'],
    ['a letter that is joined to an emoji', 'a\u200d😀'],
    ['an emoji with an accent', '😀\u0301'],
    ['an emoji with a joiner and nothing behind it', '😀\u200d'],
    ['an emoji asked to be text', '☎\ufe0e'],
    ['a variation selector alone', '\ufe0f'],
    ['a joiner alone', '\u200d'],
    ['a kanji', '駅'],
    ['a mark that turns the direction of writing', '\u202e'],
    ['a hundred joined faces', Array(100).fill('😀').join('\u200d')],
  ])('%s is not one emoji', (_, icon) => {
    expect(isSingleEmoji(icon)).toBe(false)
  })
})
